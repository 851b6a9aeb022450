// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.dedup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.registry.TestTar;
import io.packing.registry.tar.NotATarException;
import io.packing.registry.tar.TarEntry;
import io.packing.registry.tar.TarReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LayerTarTest {
    /** Reads the names of the entries of a recipe. */
    private static List<String> names(byte[] recipe) throws IOException {
        List<String> names = new ArrayList<>();
        try (LayerTar tar = new LayerTar(new RecipeReader(new ByteArrayInputStream(recipe)), () -> {})) {
            TarReader.read(tar, new TarReader.Parts() {
                @Override
                public void head(byte[] bytes, int offset, int length) {
                    // Names are enough.
                }

                @Override
                public void entry(TarEntry entry, InputStream bytes) throws IOException {
                    names.add(new String(entry.name(), StandardCharsets.UTF_8));
                }

                @Override
                public void global(Iterable<String> keys) {
                    // Names are enough.
                }
            });
        }
        return names;
    }

    private static byte[] recipe(char type) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        RecipeWriter recipe = new RecipeWriter(out);
        try {
            recipe.begin(new RecipeHeader(3_072, 3_072, new BlobForm.Plain()));
            byte[] before = new TestTar().header("d/", type, 600).bytes();
            byte[] after =
                    new TestTar().raw(new byte[424]).file("f", new byte[0]).end();
            recipe.literal(before, 0, before.length);
            recipe.content(new Step.Content("0".repeat(64), 600));
            recipe.literal(after, 0, after.length);
            recipe.finish();
        } finally {
            recipe.release();
        }
        return out.toByteArray();
    }

    @Test
    void contentsAreSkipped() throws IOException {
        assertThat(names(recipe('0'))).containsExactly("d/", "f");
    }

    @Test
    void aRecipeThatWasCutByAnotherReadingIsNoShorterTar() {
        // An older version took the bytes that a directory's header says for a file.
        assertThatThrownBy(() -> names(recipe('\0')))
                .isInstanceOf(NotATarException.class)
                .hasMessageContaining("where a header is expected");
    }
}
