// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDictCompress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/**
 * An encoder of extents by Zstandard, with a dictionary or without. It holds memory of the library. Confined to one
 * thread.
 */
public final class ZstdEncoder implements ExtentEncoder, AutoCloseable {
    /** The library's own default: about as fast as a disk writes. */
    private static final int LEVEL = 3;
    /** The largest extent for the dictionary: a larger one has enough bytes of its own to learn from. */
    private static final int MOST_WITH_DICTIONARY = 128 << 10;

    private final Optional<Dictionary> dictionary;
    private final Optional<ZstdDictCompress> digested;
    private final ZstdCompressCtx plain = new ZstdCompressCtx();
    private final ZstdCompressCtx trained = new ZstdCompressCtx();
    private byte[] input = new byte[0];
    private byte[] output = new byte[0];

    public ZstdEncoder(Optional<Dictionary> dictionary) {
        this.dictionary = dictionary;
        this.digested = dictionary.map(each -> new ZstdDictCompress(each.bytes(), LEVEL));
        plain.setLevel(LEVEL);
        digested.ifPresent(trained::loadDict);
    }

    @Override
    public Optional<Dictionary> dictionary() {
        return dictionary;
    }

    /** Encodes the remaining bytes, without moving the buffer; leaves them as they are when they do not shrink. */
    @Override
    public ExtentCodec.Stored encode(ByteBuffer bytes) {
        int length = bytes.remaining();
        boolean withDictionary = dictionary.isPresent() && length <= MOST_WITH_DICTIONARY;
        int size = compress(withDictionary ? trained : plain, bytes, length);
        if (size >= length) {
            return new ExtentCodec.Stored(Codec.NONE, bytes.slice());
        }
        ByteBuffer stored = ByteBuffer.wrap(Arrays.copyOf(output, size));
        return new ExtentCodec.Stored(withDictionary ? Codec.ZSTD_DICTIONARY : Codec.ZSTD, stored);
    }

    private int compress(ZstdCompressCtx context, ByteBuffer bytes, int length) {
        if (input.length < length) {
            input = new byte[length];
            output = new byte[(int) Zstd.compressBound(length)];
        }
        bytes.duplicate().get(input, 0, length);
        return context.compressByteArray(output, 0, output.length, input, 0, length);
    }

    @Override
    public void close() {
        plain.close();
        trained.close();
        digested.ifPresent(ZstdDictCompress::close);
    }
}
