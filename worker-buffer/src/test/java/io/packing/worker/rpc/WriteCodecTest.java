// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.packing.bdt.Outcome;
import io.packing.blob.FilePath;
import io.packing.worker.api.CreateRefusal;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

final class WriteCodecTest {
    @Test
    void aPathAtWhichNothingCanBeCreatedIsTheCallersMistakeAndNoFailureOfTheWorker() {
        FilePath past = new FilePath("/d/.snapshot/s/f");
        FilePath deep = new FilePath("/d".repeat(1_001));
        for (FilePath each : List.of(past, deep)) {
            Throwable atWorker = catchThrowable(each::checkCreatable);
            Throwable atMaster = CreateRefusal.of(each, Outcome.INVALID);
            for (Throwable refusal : List.of(atWorker, atMaster, new CompletionException(atMaster))) {
                WriteResult result = WriteCodec.failed(refusal);
                assertThat(result.getAnswer()).isEqualTo(WriteResult.Answer.INVALID);
                assertThat(result.getMessage()).contains("/d");
            }
        }
    }
}
