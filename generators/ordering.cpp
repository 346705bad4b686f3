#include "generators/ordering.h"
