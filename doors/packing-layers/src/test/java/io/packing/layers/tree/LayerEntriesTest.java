// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.ExtendedValue;
import io.packing.fuse.Mode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class LayerEntriesTest {
    private final LayerEntries entries = new LayerEntries();

    private static LayerEntry file(String text) {
        return new LayerEntry(
                Mode.REGULAR | 0644,
                1,
                2,
                Instant.ofEpochMilli(3),
                new EntryBody.Inline(text.getBytes(StandardCharsets.UTF_8)),
                Map.of());
    }

    private static LayerEntry link() {
        return new LayerEntry(
                Mode.SYMLINK | 0777, 0, 0, Instant.EPOCH, new EntryBody.Inline(new byte[] {'x'}), Map.of());
    }

    private LayerEntry at(String path) {
        return Objects.requireNonNull(entries.all().get(path));
    }

    private boolean isOpaque(String path) {
        return new ExtendedAttributes(entries.extended()).isOpaque(path);
    }

    @Test
    void namesAreFoldedAndNeverLeadOut() throws LayerException {
        assertThat(LayerEntries.path("./usr//bin/.")).isEqualTo("usr/bin");
        assertThat(LayerEntries.path("/etc/passwd")).isEqualTo("etc/passwd");
        assertThat(LayerEntries.path("./")).isEmpty();
        for (String bad : new String[] {"../etc", "a/../../b", "a/..", "b\0", "a/.snapshot/b", "n".repeat(256)}) {
            assertThatThrownBy(() -> LayerEntries.path(bad)).isInstanceOf(LayerException.class);
        }
    }

    @Test
    void namesAndShortFilesTakeBoundedMemoryAlsoWhenTheyAreReplaced() throws LayerException {
        assertThatThrownBy(() -> LayerEntries.path("x".repeat(4_097)))
                .isInstanceOfSatisfying(
                        LayerException.class, e -> assertThat(e.isOverLimit()).isTrue());
        LayerEntry large = file("x".repeat(1 << 20));
        long times = LayerEntries.MOST_HELD >> 20;
        for (int i = 0; i < times - 1; i++) {
            entries.add("same", large);
        }
        assertThatThrownBy(() -> {
                    entries.add("same", large);
                    entries.add("same", large);
                })
                .isInstanceOfSatisfying(
                        LayerException.class, e -> assertThat(e.isOverLimit()).isTrue());
    }

    @Test
    void laterEntriesReplaceEarlierOnesWithAllBelow() throws LayerException {
        entries.add("a/b/c", file("1"));
        entries.add("a/b", link());
        assertThat(entries.all().keySet()).containsExactly("", "a", "a/b");
        entries.add("a/b", LayerEntry.DIRECTORY);
        entries.add("a/b/d", file("2"));
        assertThat(entries.all().keySet()).containsExactly("", "a", "a/b", "a/b/d");
    }

    @Test
    void nothingIsMadeBelowALink() throws LayerException {
        entries.add("bin", link());
        assertThatThrownBy(() -> entries.add("bin/sh", file("1")))
                .isInstanceOf(LayerException.class)
                .hasMessageContaining("no directory");
        assertThatThrownBy(() -> entries.add("", link())).isInstanceOf(LayerException.class);
    }

    @Test
    void aLinkHasTheBytesOfItsTarget() throws LayerException {
        entries.add("a", file("1"));
        entries.link("b", "a");
        entries.add("a", file("2"));
        assertThat(((EntryBody.Inline) at("b").body()).bytes()).isEqualTo(new byte[] {'1'});
        assertThatThrownBy(() -> entries.link("c", "nowhere")).isInstanceOf(LayerException.class);
    }

    @Test
    void aWhiteoutOfADirectoryThatTheLayerHasHidesOnlyWhatIsBelowTheLayer() throws LayerException {
        entries.add("d/f", file("1"));
        entries.add(".wh.d", file(""));
        assertThat(entries.all()).containsKey("d/f");
        assertThat(isOpaque("d")).isTrue();
        // In the other order, too.
        entries.add(".wh.e", file(""));
        assertThat(at("e")).isEqualTo(LayerEntry.WHITEOUT);
        entries.add("e/f", file("1"));
        assertThat(at("e").isDirectory()).isTrue();
        assertThat(isOpaque("e")).isTrue();
        assertThat(isOpaque("")).isFalse();
    }

    @Test
    void aWhiteoutOfAFileThatTheLayerHasHidesNothing() throws LayerException {
        entries.add("f", file("1"));
        entries.add(".wh.f", file(""));
        assertThat(at("f").type()).isEqualTo(Mode.REGULAR);
        entries.add(".wh..wh.plnk", file(""));
        assertThat(entries.all().keySet()).containsExactly("", "f");
        assertThatThrownBy(() -> entries.add(".wh...", file(""))).isInstanceOf(LayerException.class);
    }

    @Test
    void extendedAttributesComeBackFromTheirFile() throws Exception {
        byte[] value = {1, 0, (byte) 0xff};
        ExtendedAttributes made =
                new ExtendedAttributes(Map.of("bin/ping", Map.of("security.capability", new ExtendedValue(value))));
        ExtendedAttributes read = ExtendedAttributes.decode(made.encode());
        assertThat(read.of("bin/ping").get("security.capability")).isEqualTo(new ExtendedValue(value));
        assertThat(read.of("bin")).isEmpty();
    }
}
