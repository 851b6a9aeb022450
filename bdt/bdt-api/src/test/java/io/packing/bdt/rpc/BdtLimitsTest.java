// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.rpc;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Message;
import com.google.protobuf.UnknownFieldSet;
import io.packing.transport.MessageLimits;
import java.io.IOException;
import java.util.Collections;
import java.util.Map;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

final class BdtLimitsTest {
    private static void check(Message message) throws IOException {
        BdtLimits.LIMITS.check(message.getDescriptorForType(), CodedInputStream.newInstance(message.toByteArray()));
    }

    private static ClaimBatch claims(int count) {
        return ClaimBatch.newBuilder()
                .addAllClaims(Collections.nCopies(count, ClaimMessage.getDefaultInstance()))
                .build();
    }

    @Test
    void tooManyMessagesAreNamed() throws IOException {
        check(claims(BdtLimits.CLAIMS));
        assertThatThrownBy(() -> check(claims(BdtLimits.CLAIMS + 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("packing.bdt.v1.ClaimBatch.claims")
                .hasMessageContaining("several messages");
    }

    @Test
    void tooManyPackedNumbersInsideOfAnotherMessageAreNamed() throws IOException {
        for (int more = 0; more < 2; more++) {
            HeartbeatRequest request = HeartbeatRequest.newBuilder()
                    .setCommits(CommitBatch.newBuilder()
                            .addAllIds(Collections.nCopies(BdtLimits.COMMITTED_FILES + more, 1L))
                            .addAllCrc32Cs(Collections.nCopies(5, 7))
                            .addAllCodecs(Collections.nCopies(5, 1)))
                    .build();
            if (more == 0) {
                check(request);
            } else {
                assertThatThrownBy(() -> check(request)).hasMessageContaining("CommitBatch.ids");
            }
        }
    }

    @Test
    void tooManyFixedNumbersAreNamed() {
        MessageLimits few = new MessageLimits(Map.of(), 1 << 20, Map.of(), 10);
        CommitBatch batch = CommitBatch.newBuilder()
                .addAllCrc32Cs(Collections.nCopies(11, 7))
                .build();
        assertThatThrownBy(
                        () -> few.check(CommitBatch.getDescriptor(), CodedInputStream.newInstance(batch.toByteArray())))
                .hasMessageContaining("CommitBatch.crc32cs");
    }

    @Test
    void aFewUnknownFieldsAreANewerClientAndManyAreRefused() throws IOException {
        UnknownFieldSet.Field.Builder field = UnknownFieldSet.Field.newBuilder();
        for (int i = 0; i < 900; i++) {
            field.addLengthDelimited(ByteString.EMPTY);
        }
        check(claims(1).toBuilder()
                .setUnknownFields(
                        UnknownFieldSet.newBuilder().addField(77, field.build()).build())
                .build());
        for (int i = 0; i < 200; i++) {
            field.addVarint(1);
        }
        ClaimBatch many = claims(1).toBuilder()
                .setUnknownFields(
                        UnknownFieldSet.newBuilder().addField(77, field.build()).build())
                .build();
        assertThatThrownBy(() -> check(many)).hasMessageContaining("unknown fields");
    }

    @Test
    void bytesThatEndEarlyAreNoMessage() {
        byte[] whole = claims(3).toByteArray();
        for (int length = 1; length < whole.length; length++) {
            int cut = length;
            // The cut is between two fields, or the check refuses it as what it is; no other exception comes.
            assertThatCode(() -> {
                        try {
                            BdtLimits.LIMITS.check(
                                    ClaimBatch.getDescriptor(), CodedInputStream.newInstance(whole, 0, cut));
                        } catch (IOException refused) {
                            throw new IllegalStateException(refused);
                        }
                    })
                    .satisfiesAnyOf(
                            thrown -> Assertions.assertThat(thrown).isNull(),
                            thrown -> Assertions.assertThat(thrown).hasCauseInstanceOf(IOException.class));
        }
    }
}
