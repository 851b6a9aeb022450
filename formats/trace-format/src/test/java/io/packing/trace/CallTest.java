package io.packing.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class CallTest {
    @Test
    void idsAndLabelsAreUniqueAndFitAByte() {
        assertThat(Arrays.stream(Call.values()).map(Call::id))
                .doesNotHaveDuplicates()
                .allMatch(id -> id <= 255);
        assertThat(Arrays.stream(Call.values()).map(Call::label)).doesNotHaveDuplicates();
    }

    @Test
    void everyCallIsFoundByItsIdAndItsLabel() {
        for (Call call : Call.values()) {
            assertThat(Call.ofId(call.id())).isEqualTo(call);
            assertThat(Call.ofLabel(call.label())).contains(call);
        }
    }

    @Test
    void anIdOfANewerTracerIsUnknown() {
        assertThat(Call.ofId(255)).isEqualTo(Call.UNKNOWN);
    }

    @Test
    void onlyReadsAndWritesMoveBytes() {
        assertThat(Arrays.stream(Call.values()).filter(Call::reads).map(Call::label))
                .containsExactly(
                        "read",
                        "readByteBuffer",
                        "pread",
                        "preadFully",
                        "preadByteBuffer",
                        "preadFullyByteBuffer",
                        "readVectored",
                        "readZeroCopy");
        assertThat(Arrays.stream(Call.values()).filter(Call::writes)).containsExactly(Call.WRITE);
    }
}
