// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** A strict UTF-8 check that reuses its buffers. */
final class Utf8Check {
    private final CharsetDecoder decoder = StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    private CharBuffer chars = CharBuffer.allocate(256);

    boolean isWellFormed(byte[] bytes, int from, int to) {
        if (chars.capacity() < to - from) {
            chars = CharBuffer.allocate(to - from);
        }
        chars.clear();
        decoder.reset();
        return decoder.decode(ByteBuffer.wrap(bytes, from, to - from), chars, true)
                .isUnderflow();
    }
}
