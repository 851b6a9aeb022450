// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.packing.lab.compare.CapacityModel.Millis;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class CapacityModelTest {
    /** 0.2 ms at a client, 0.3 at a worker, 0.1 at the masters. */
    private static final Millis MILLIS = new Millis(0.2, 0.3, 0.1, 0.4);

    private static CapacityModel model(int machines, int clients, double aloneMillis) {
        return new CapacityModel(machines, 2, clients, MILLIS, aloneMillis, 1_500);
    }

    @Test
    void processorsOfTheWorkersBoundTheRateOfFewMachines() {
        CapacityModel model = model(1, 1_000, 1);
        assertThat(model.workersAllow()).isEqualTo(4_000, within(1e-6));
        assertThat(model.atMost()).isEqualTo(4_000, within(1e-6));
        assertThat(model.secondsAtLeast(8_000)).isEqualTo(2, within(1e-6));
    }

    @Test
    void theMastersMachineBoundsTheRateOfManyMachines() {
        CapacityModel model = model(16, 1_000, 1);
        assertThat(model.workersAllow()).isEqualTo(64_000, within(1e-6));
        assertThat(model.atMost()).isEqualTo(model.mastersAllow()).isEqualTo(20_000, within(1e-6));
    }

    @Test
    void clientsThatWaitBoundTheRateOfIdleMachines() {
        assertThat(model(16, 32, 4).atMost()).isEqualTo(8_000, within(1e-6));
    }

    @Test
    void theBoundOfThisMachineCountsEveryProcessOnIt() {
        CapacityModel model = model(4, 1_000, 1);
        assertThat(model.hereAtMost()).isEqualTo(2_000, within(1e-6));
        assertThat(model.hereMeasuredToBound()).isEqualTo(0.75, within(1e-6));
    }

    @Test
    void thePrintedModelSaysThatItIsNoMeasurementAndWhatItAssumes() {
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text, true);
        model(4, 32, 4).print(out, 80_000);
        assertThat(text.toString())
                .contains("no measurement", "at most 8,000 files/s", "at least 10.0 s", "0.75 of them")
                .contains(model(4, 32, 4).assumptions());
    }

    @Test
    void aModelWithoutMeasuredFiguresIsRefused() {
        assertThatThrownBy(() -> new CapacityModel(4, 2, 32, MILLIS, 0, 1))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
