package io.packing.bdt.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import org.junit.jupiter.api.Test;

class StatusMappingTest {
    /** Each may be nine bytes in a header, of which a client takes 8,192 in all. */
    private static final int MOST = 800;

    @Test
    void wordsThatACallerMadeLongFitIntoTheHeadersOfAnAnswer() {
        String name = "é".repeat(10_000);
        Status denied = Status.PERMISSION_DENIED.withDescription("not for " + name);

        StatusRuntimeException ofStatus = StatusMapping.toStatus(denied.asRuntimeException());
        StatusRuntimeException ofFailure = StatusMapping.toStatus(new IllegalArgumentException("no such " + name));

        assertThat(ofStatus.getStatus().getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
        assertThat(ofStatus.getStatus().getDescription())
                .startsWith("not for é")
                .hasSizeLessThan(MOST);
        assertThat(ofFailure.getStatus().getDescription())
                .startsWith("no such é")
                .hasSizeLessThan(MOST);
    }
}
