package io.packing.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProcessorLoadTest {
    private double load = 1;
    private int looks;
    private long nanos = Long.MAX_VALUE - 1;

    private double look() {
        looks++;
        return load;
    }

    @Test
    void theSystemIsAskedNowAndThen() {
        var processors = new ProcessorLoad(this::look, () -> nanos);
        assertThat(processors.isHigh()).isTrue();
        load = 0.5;
        assertThat(processors.isHigh()).isTrue();
        assertThat(looks).isEqualTo(1);
        nanos += Duration.ofMillis(500).toNanos();
        assertThat(processors.isHigh()).isFalse();
        assertThat(looks).isEqualTo(2);
    }

    @Test
    void aSystemThatDoesNotTellIsNotBusy() {
        load = -1;
        assertThat(new ProcessorLoad(this::look, () -> nanos).isHigh()).isFalse();
        load = Double.NaN;
        assertThat(new ProcessorLoad(this::look, () -> nanos).isHigh()).isFalse();
    }
}
