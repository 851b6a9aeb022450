// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.synth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValueFactory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

/** A test of the ratios of Fig. 3.4b together with the heats of Fig. 3.8. */
class FamilyHeatsTest {
    private static final int PREFETCH_META = 3;
    private static final int KEYWORDS = 4;

    @Test
    void theDataOfEachHeatIsDividedWholly() {
        for (TraceModel.HeatClass heat :
                TraceModel.of(Workload.facebookMessages()).reading().classes()) {
            assertThat(heat.families()).allMatch(share -> share >= 0);
            assertThat(heat.families().stream().mapToDouble(s -> s).sum()).isCloseTo(1, within(1e-6));
        }
    }

    @Test
    void everyFamilyHasItsShareOfTheLiveData() {
        Workload workload = Workload.facebookMessages();
        List<TraceModel.HeatClass> classes = TraceModel.of(workload).reading().classes();
        double live = classes.stream().mapToDouble(TraceModel.HeatClass::bytes).sum();
        for (int f = 0; f < workload.families().size(); f++) {
            assertThat(dataOf(f, classes))
                    .isCloseTo(workload.families().get(f).data() * live, Percentage.withPercentage(1e-4));
        }
    }

    @Test
    void aHotFamilyHasMoreOfTheHottestDataAndAColdOneMoreOfTheColdest() {
        List<TraceModel.HeatClass> classes =
                TraceModel.of(Workload.facebookMessages()).reading().classes();
        List<Double> once = classes.get(0).families();
        List<Double> hottest = classes.get(classes.size() - 1).families();
        assertThat(hottest.get(PREFETCH_META)).isGreaterThan(1.2 * once.get(PREFETCH_META));
        assertThat(hottest.get(KEYWORDS)).isLessThan(0.5 * once.get(KEYWORDS));
    }

    /** Shares that were tuned for one trace would fail here. */
    @Test
    void tracesOfOtherSeedsAndLengthsHaveThePublishedRatios() throws IOException {
        Tally tally = Tally.of(SynthTrace.open(SynthOptions.of(6_000_000, 7)));
        assertThat(tally.ioPerByte("PrefetchMeta")).isCloseTo(15, Percentage.withPercentage(3));
        assertThat(tally.ioPerByte("Keywords")).isCloseTo(1.1, Percentage.withPercentage(5));
    }

    @Test
    void whateverTheDivisionOverFamiliesTheHeatsAndTheFamiliesDataAreTheSame() {
        List<TraceModel.HeatClass> heats =
                TraceModel.of(Workload.facebookMessages()).reading().classes();
        double live = heats.stream().mapToDouble(TraceModel.HeatClass::bytes).sum();
        for (Workload.FamilyHeat kind : Workload.FamilyHeat.values()) {
            List<TraceModel.HeatClass> classes =
                    TraceModel.of(with(kind)).reading().classes();
            assertThat(classes.stream().map(TraceModel.HeatClass::bytes))
                    .isEqualTo(heats.stream().map(TraceModel.HeatClass::bytes).toList());
            assertThat(dataOf(PREFETCH_META, classes) / live).isCloseTo(0.03, within(1e-6));
        }
    }

    @Test
    void apartTheHottestDataIsInOneFamily() {
        List<TraceModel.HeatClass> classes =
                TraceModel.of(with(Workload.FamilyHeat.APART)).reading().classes();
        assertThat(classes.get(classes.size() - 1).families().get(PREFETCH_META))
                .isEqualTo(1.0);
        assertThat(classes.get(0).families().get(PREFETCH_META)).isZero();
    }

    @Test
    void ratiosThatTheHeatsDoNotAllowAreRefused() {
        assertThatThrownBy(() -> TraceModel.of(withRatio(PREFETCH_META, 1_000)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("contradict each other");
        assertThatThrownBy(() -> TraceModel.of(withRatio(KEYWORDS, 1.0)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Keywords");
    }

    private static Workload with(Workload.FamilyHeat kind) {
        Workload published = Workload.facebookMessages();
        return published.with(published.reads().with(kind, published.reads().repeatToMin()));
    }

    private static double dataOf(int family, List<TraceModel.HeatClass> classes) {
        return classes.stream()
                .mapToDouble(c -> c.bytes() * c.families().get(family))
                .sum();
    }

    private static Workload withRatio(int family, double ratio) {
        Config config = ConfigFactory.parseResources(Workload.class, "facebook-messages.conf");
        List<Config> families = new ArrayList<>(config.getConfigList("families"));
        families.set(family, families.get(family).withValue("ratio", ConfigValueFactory.fromAnyRef(ratio)));
        return Workload.from(config.withValue(
                "families",
                ConfigValueFactory.fromIterable(
                        families.stream().map(c -> c.root()).toList())));
    }
}
