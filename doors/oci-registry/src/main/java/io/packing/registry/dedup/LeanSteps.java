// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.dedup;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;

/** The steps that make a lean layer: its recipe as it is stored, and each content that the client does not have. Confined to one thread. */
final class LeanSteps implements Steps {
    private static final int CHUNK = RecipeWriter.MAX_LITERAL;

    /** Opens the recipe. */
    interface Source {
        InputStream open() throws IOException;
    }

    private final Set<String> had;
    private final LongConsumer omitted;
    private final Set<String> named = new HashSet<>();
    private final byte[] bytes;
    private final RecipeReader recipe;
    private int sent = -1;
    private Optional<Step> content = Optional.empty();
    private boolean isEnded;

    LeanSteps(Source source, Set<String> had, LongConsumer omitted) throws IOException {
        this.had = had;
        this.omitted = omitted;
        try (InputStream all = source.open()) {
            // Deflated, so that it is some dozens of bytes for each file.
            this.bytes = all.readAllBytes();
        }
        this.recipe = new RecipeReader(source.open());
    }

    @Override
    public Optional<Step> next() throws IOException {
        if (sent < 0) {
            sent = 0;
            return literal(out -> {
                out.writeLong(LeanLayers.MAGIC);
                out.writeLong(bytes.length);
            });
        }
        if (sent < bytes.length) {
            int n = Math.min(CHUNK, bytes.length - sent);
            sent += n;
            return literal(out -> out.write(bytes, sent - n, n));
        }
        if (content.isPresent()) {
            Optional<Step> announced = content;
            content = Optional.empty();
            return announced;
        }
        return isEnded ? Optional.empty() : nextContent();
    }

    /** Returns the step that announces the next sent content. */
    private Optional<Step> nextContent() throws IOException {
        for (Optional<Step> step = recipe.next(); step.isPresent(); step = recipe.next()) {
            if (!(step.get() instanceof Step.Content next) || !named.add(next.hex())) {
                continue;
            }
            if (had.contains(next.hex())) {
                omitted.accept(next.length());
                continue;
            }
            content = step;
            return literal(out -> {
                out.writeByte(LeanLayers.CONTENT);
                out.writeLong(next.length());
                out.write(HexFormat.of().parseHex(next.hex()));
            });
        }
        isEnded = true;
        return literal(out -> out.writeByte(LeanLayers.END));
    }

    /** Writes the bytes of a literal. */
    private interface Literal {
        void to(DataOutputStream out) throws IOException;
    }

    private static Optional<Step> literal(Literal literal) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        literal.to(new DataOutputStream(all));
        return Optional.of(new Step.Literal(all.toByteArray()));
    }

    @Override
    public void close() throws IOException {
        recipe.close();
    }
}
