// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlobNameTest {
    @ParameterizedTest
    @ValueSource(strings = {"w", "worker-1", "a-1-2", "-", "10.0.0.1_29999", "x-", "0-0-0"})
    void aNameIsReadBackWhateverTheWorkerIsCalled(String worker) {
        BlobName name = new BlobName(worker, 1_048_576, 1_700_000_000_000_000L);
        assertThat(BlobName.parse(name.toString())).isEqualTo(name);
        assertThat(BlobName.parse(name.key())).isEqualTo(name);
    }

    @Test
    void theKeyHasTheHashInFront() {
        BlobName name = new BlobName("worker-1", 1_048_576, 1_700_000_000_000_000L);
        assertThat(name).hasToString("worker-1-1048576-1700000000000000");
        assertThat(name.key()).isEqualTo("95/worker-1-1048576-1700000000000000");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "worker",
                "worker-1",
                "-1-2",
                "w-1-",
                "w-01-2",
                "w-1-02",
                "w-1-9999999999999999999",
                "w/x-1-2",
                "00/w-1-2",
                "w-1-2/",
                " w-1-2",
                "w-1-2\n",
                "../w-1-2"
            })
    void anythingElseIsRefused(String text) {
        assertThatThrownBy(() -> BlobName.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }
}
