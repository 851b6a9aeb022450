// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import io.packing.sim.RunResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategorySeries;
import org.knowm.xchart.XYChart;

class PlotsTest {
    private static final String SIZES = """
            title = "Sizes", source = "a test"
            cache { zipf { objects = 100, requests = 1000 } }
            sweep = [{ axis = size, values = ["10", "20", "40"] }]
            columns = [hits]
            plots = [
              { kind = bars, title = "Dollars", x = size, y = [hits], y-title = "dollars" }
              { title = "Dollars", x = size, y = [hits], y-title = "dollars" }
              { kind = pareto, title = "Dollars", x = misses, y = [hits], y-title = "dollars" }
            ]
            """;

    private final Experiment experiment = Description.of(
                    "test", ConfigFactory.parseString(SIZES).resolve(), List.of())
            .experiments(1)
            .get(0);

    private Results results(double... hits) {
        List<RunResult> runs = new ArrayList<>();
        for (double each : hits) {
            runs.add(new RunResult(Map.of("hits", each, "misses", 1 / (each + 1)), List.of(), 1));
        }
        return new Results(experiment, List.of(runs));
    }

    private CategoryChart bars(double... hits) {
        return (CategoryChart) Plots.chart(experiment.plots().get(0), results(hits));
    }

    private XYChart drawn(int plot, double... hits) {
        return (XYChart) Plots.chart(experiment.plots().get(plot), results(hits));
    }

    @Test
    void dollarsThatAreFarApartArePointsOnALogarithmicAxis() {
        CategoryChart chart = bars(16, 0.0002, 32);
        assertThat(chart.getStyler().isYAxisLogarithmic()).isTrue();
        assertThat(chart.getStyler().getDefaultSeriesRenderStyle())
                .isEqualTo(CategorySeries.CategorySeriesRenderStyle.Scatter);
        assertThat(chart.getYAxisTitle()).isEqualTo("dollars, logarithmic");
        assertThat(drawn(1, 16, 0.0002, 32).getStyler().isYAxisLogarithmic()).isTrue();
        assertThat(drawn(2, 16, 0.0002, 32).getStyler().isYAxisLogarithmic()).isTrue();
    }

    @Test
    void valuesOfOneMagnitudeKeepAnAxisFromZero() {
        CategoryChart chart = bars(16, 4, 0);
        assertThat(chart.getStyler().isYAxisLogarithmic()).isFalse();
        assertThat(chart.getStyler().getYAxisMin()).isZero();
        assertThat(chart.getYAxisTitle()).isEqualTo("dollars");
        assertThat(drawn(1, 16, 4, 1).getStyler().isYAxisLogarithmic()).isFalse();
        assertThat(drawn(2, 16, 4, 1).getStyler().isYAxisLogarithmic()).isFalse();
    }

    @Test
    void aLogarithmicAxisSaysThatItLeavesZerosOut() throws IOException {
        assertThat(bars(16, 0, 0.0002).getYAxisTitle()).isEqualTo("dollars, logarithmic; zeros are left out");
        XYChart lines = drawn(1, 16, 0, 0.0002);
        assertThat(lines.getYAxisTitle()).endsWith("zeros are left out");
        assertThat(lines.getSeriesMap().values())
                .allSatisfy(line -> assertThat(line.getYData()).containsExactly(16, 0.0002));
        // It can be drawn.
        for (PlotSpec plot : experiment.plots().subList(0, 2)) {
            assertThat(Plots.onPage(plot, results(16, 0, 0.0002), "plot").html())
                    .contains("<svg");
        }
    }
}
