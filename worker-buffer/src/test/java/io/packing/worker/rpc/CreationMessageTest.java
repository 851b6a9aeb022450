// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.packing.bdt.ExtendedChange;
import io.packing.bdt.ExtendedValue;
import io.packing.bdt.RareAttributeChange;
import io.packing.blob.FilePath;
import io.packing.worker.api.CreateOptions;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The message of a new file: attributes travel with it, and a worker that would ignore them sees no path. */
class CreationMessageTest {
    private static final FilePath PATH = new FilePath("/d/f");
    private static final CreateOptions PLAIN = new CreateOptions("u", "g", 0644, false, true);
    private static final CreateOptions ATTRIBUTED = PLAIN.with(
            5,
            new RareAttributeChange(
                    List.of(ExtendedChange.put("user.a", new ExtendedValue(new byte[] {1, 2}))), 7, Optional.empty()));

    @Test
    void attributesComeBackAsTheyWereSent() {
        Creation message = WriteCodec.creation(PATH, ATTRIBUTED);
        assertThat(WriteCodec.path(message)).isEqualTo(PATH);
        assertThat(WriteCodec.options(message, Optional.empty())).isEqualTo(ATTRIBUTED);
    }

    @Test
    void aFileWithoutAttributesHasItsPathWhereItAlwaysWas() {
        Creation message = WriteCodec.creation(PATH, PLAIN);
        assertThat(message.getPath()).isEqualTo("/d/f");
        assertThat(message.hasAttributed()).isFalse();
    }

    @Test
    void aWorkerThatDoesNotKnowAttributesRefusesTheFile() {
        // An older worker reads this field alone.
        String seen = WriteCodec.creation(PATH, ATTRIBUTED).getPath();
        assertThatThrownBy(() -> new FilePath(seen)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void bytesThatAreNoAttributesAreRefused() {
        Creation broken = WriteCodec.creation(PATH, ATTRIBUTED).toBuilder()
                .setAttributed(Attributed.newBuilder()
                        .setPath("/d/f")
                        .setExtra(ByteString.copyFrom(new byte[] {(byte) 0xff, (byte) 0xff})))
                .build();
        assertThatThrownBy(() -> WriteCodec.options(broken, Optional.empty()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("extended attributes");
    }
}
