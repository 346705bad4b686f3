#include "generators/histograms.h"

#include "generators/indexed.h"

namespace neuroncheck::generators {
namespace {

// On edges, between them, and beyond the ends.
Fills samples() {
  return {counted(FillKind::exact_integer, 2), counted(FillKind::exact_integer, 3), between(-4, 4), fill_of(FillKind::normal), constant(2)};
}

std::int64_t bin_count(DraftBuilder& build) { return build.pick().one_of<std::int64_t>({1, 2, 3, 4, 8, 10, 16, 33}); }

ArgumentList limits(DraftBuilder& build) {
  return build.pick().one_of<ArgumentList>({arguments(-4.0, 4.0), arguments(0.0, 8.0), arguments(-1.0, 2.0), arguments(-0.3, 0.7)});
}

Argument weight(DraftBuilder& build, const Sizes& sizes) {
  return build.pick().chance(40) ? argument(build.input(sizes, terms(build.dtype(), element_count(sizes)))) : none();
}

// A 16-bit density is rounded by every division on the way: no device is known by that.
bool density(DraftBuilder& build) {
  const bool wide = build.dtype() == Dtype::float32 || build.dtype() == Dtype::float64;
  return build.pick().chance(30) && wide;
}

ValueRef edges(DraftBuilder& build) {
  double edge = static_cast<double>(build.pick().between(-8, 0)) * 0.5;
  std::vector<double> values{edge};
  const std::int64_t count = build.pick().between(1, 9);
  for (std::int64_t i = 0; i < count; ++i) {
    edge += static_cast<double>(build.pick().between(1, 4)) * 0.5;
    values.push_back(edge);
  }
  return literal(build, build.dtype(), {count + 1}, values);
}

struct Table {
  ValueRef self;
  std::int64_t rows = 0, columns = 1;
};

Table draw_rows(DraftBuilder& build) {
  Table table{.self = {}, .rows = build.edge() == Edge::empty ? 0 : boundary_size(build.pick(), 129), .columns = build.pick().between(1, 3)};
  table.self = build.input({table.rows, table.columns}, samples());
  return table;
}

}  // namespace

Recipe histc(Form form) {
  return [=](DraftBuilder& build) {
    const ValueRef self = build.input(build.sizes(), samples());
    const std::int64_t bins = bin_count(build);
    const ArgumentList range = build.pick().chance(30) ? arguments(0.0, 0.0) : limits(build);
    call_and_return(build, form, arguments(self, bins, range[0], range[1]), {{bins}, build.dtype()});
  };
}

Recipe histogram() {
  return [](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const ValueRef self = build.input(sizes, samples());
    const std::int64_t bins = bin_count(build);
    const Argument range = build.pick().chance(30) ? none() : argument(limits(build));
    const Argument weights = weight(build, sizes);
    build.returns(build.call(arguments(self, bins, range, weights, density(build))), 2);
  };
}

Recipe histogram_by_edges() {
  return [](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const ValueRef self = build.input(sizes, samples());
    const ValueRef bins = edges(build);
    const Argument weights = weight(build, sizes);
    build.returns(build.call(arguments(self, bins, weights, density(build))), 2);
  };
}

Recipe histogram_of_rows(Returns returns) {
  return [=](DraftBuilder& build) {
    const Table in = draw_rows(build);
    Sizes bins;
    ArgumentList range;
    for (std::int64_t d = 0; d < in.columns; ++d) {
      bins.push_back(build.pick().one_of<std::int64_t>({1, 2, 3, 4, 8}));
      range = joined(std::move(range), limits(build));
    }
    const Argument given = build.pick().chance(30) ? none() : argument(range);
    const Argument weights = weight(build, {in.rows});
    const ValueRef made = build.call(arguments(in.self, list(bins), given, weights, density(build)));
    build.returns(made, returns == Returns::edges ? static_cast<int>(in.columns) : 1);
  };
}

Recipe histogram_of_rows_by_edges() {
  return [](DraftBuilder& build) {
    const Table in = draw_rows(build);
    ArgumentList bins;
    for (std::int64_t d = 0; d < in.columns; ++d) {
      bins.push_back(argument(edges(build)));
    }
    const Argument weights = weight(build, {in.rows});
    build.returns(build.call(arguments(in.self, bins, weights, density(build))));
  };
}

}  // namespace neuroncheck::generators
