// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.dedup;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.HexFormat;
import java.util.Optional;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;

/** Reads a recipe, step by step. Confined to one thread. */
final class RecipeReader implements Steps {
    private static final int SHA256_BYTES = 32;

    private final InputStream source;
    private final Inflater inflater = new Inflater(true);
    private final RecipeHeader header;
    private final DataInputStream steps;

    /** @param source is closed with this, also when this fails */
    RecipeReader(InputStream source) throws IOException {
        this.source = source;
        try {
            BufferedInputStream buffered = new BufferedInputStream(source, 256 << 10);
            this.header = RecipeHeader.read(new DataInputStream(buffered));
            this.steps = new DataInputStream(
                    new BufferedInputStream(new InflaterInputStream(buffered, inflater, 64 << 10), 64 << 10));
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    RecipeHeader header() {
        return header;
    }

    @Override
    public Optional<Step> next() throws IOException {
        int tag = steps.readUnsignedByte();
        if (tag == RecipeWriter.END) {
            return Optional.empty();
        }
        if (tag == RecipeWriter.LITERAL) {
            int length = steps.readInt();
            if (length <= 0 || length > RecipeWriter.MAX_LITERAL) {
                throw new IOException("a recipe with a literal of %d bytes".formatted(length));
            }
            byte[] bytes = new byte[length];
            steps.readFully(bytes);
            return Optional.of(new Step.Literal(bytes));
        }
        if (tag != RecipeWriter.CONTENT) {
            throw new IOException("a recipe with a step of kind %d".formatted(tag));
        }
        long length = steps.readLong();
        byte[] hash = new byte[SHA256_BYTES];
        steps.readFully(hash);
        if (length <= 0) {
            throw new IOException("a recipe with a content of %d bytes".formatted(length));
        }
        return Optional.of(new Step.Content(HexFormat.of().formatHex(hash), length));
    }

    @Override
    public void close() throws IOException {
        inflater.end();
        source.close();
    }
}
