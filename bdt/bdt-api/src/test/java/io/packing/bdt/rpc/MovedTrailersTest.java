// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.packing.bdt.MovedException;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class MovedTrailersTest {
    private static final Metadata.Key<String> LEADER =
            Metadata.Key.of("packing-leader", Metadata.ASCII_STRING_MARSHALLER);

    private static StatusRuntimeException sent() {
        return StatusMapping.toStatus(new MovedException("mount m is one of group two", "two", "h1:1,h2:2"));
    }

    @Test
    void aClientLearnsTheGroupAndItsAddresses() {
        assertThat(StatusMapping.toException(sent())).isInstanceOfSatisfying(MovedException.class, moved -> {
            assertThat(moved.group()).isEqualTo("two");
            assertThat(moved.addresses()).isEqualTo("h1:1,h2:2");
            assertThat(moved).hasMessageContaining("mount m");
        });
    }

    @Test
    void aClientOfAnOlderVersionTakesTheFirstAddressForALeader() {
        StatusRuntimeException status = sent();
        assertThat(status.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
        assertThat(Objects.requireNonNull(status.getTrailers()).get(LEADER)).isEqualTo("h1:1");
    }

    @Test
    void anAnswerThatNamesNoAddressIsStillOne() {
        Metadata trailers = new Metadata();
        trailers.put(Metadata.Key.of("packing-group", Metadata.ASCII_STRING_MARSHALLER), "two");
        assertThat(StatusMapping.toException(Status.UNAVAILABLE.asRuntimeException(trailers)))
                .isInstanceOf(MovedException.class);
    }
}
