#include "generators/scatter.h"
