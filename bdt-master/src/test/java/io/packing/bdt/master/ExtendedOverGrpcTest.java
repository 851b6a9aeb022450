// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.Bdt;
import io.packing.bdt.ExtendedChange;
import io.packing.bdt.ExtendedValue;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.RareAttributeChange;
import io.packing.bdt.RareAttributes;
import io.packing.bdt.VectorResult;
import io.packing.bdt.client.GrpcBdts;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExtendedOverGrpcTest {
    private static final FilePath A = new FilePath("/a");

    @TempDir
    private Path data;

    @Test
    void whatFewFilesHaveComesOverTheWireAndBack() throws IOException {
        BdtMaster master =
                BdtMaster.start(TestStores.config(data), new TestStores()).serve();
        try (GrpcBdts client = GrpcBdts.connect("127.0.0.1:" + master.port(), Duration.ofSeconds(60));
                Bdt table = client.open(TestStores.MOUNT)) {
            ExtendedValue large = new ExtendedValue(new byte[ExtendedValue.MOST_BYTES]);
            Instant changed = Instant.ofEpochSecond(-1, 999_999_999);
            RareAttributeChange extra =
                    new RareAttributeChange(List.of(ExtendedChange.put("user.ü", large)), 7, Optional.of(changed));
            assertThat(table.apply(OperationVector.of(new Operation.CreateFile(
                            A, AttributeChange.ofMtime(5).with(extra), false))))
                    .isInstanceOf(VectorResult.Applied.class);
            FileStatus status = table.stat(A).orElseThrow();
            assertThat(status.extras())
                    .isEqualTo(new RareAttributes(status.extras().extended(), 7, Optional.of(changed)));
            assertThat(status.extras().hasExtended()).isTrue();
            assertThat(table.list(FilePath.ROOT, "", 10).orElseThrow()).containsExactly(status);
            assertThat(table.locate(A).orElseThrow().status()).isEqualTo(status);
            assertThat(table.extended(A)).contains(Map.of("user.ü", large));
            assertThat(table.setAttributes(
                            A,
                            AttributeChange.ofExtended(
                                    new ExtendedChange(ExtendedChange.Kind.CREATE, "user.ü", large))))
                    .isEqualTo(Outcome.EXISTS);
            assertThat(table.setAttributes(A, AttributeChange.ofExtended(ExtendedChange.CLEAR)))
                    .isEqualTo(Outcome.DONE);
            assertThat(table.extended(A)).contains(Map.of());
            assertThat(table.extended(new FilePath("/none"))).isEmpty();
        } finally {
            master.kill();
        }
    }
}
