// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FilePathTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/a",
                "/a/b/c",
                "/...",
                "/..a/b../.c./.d",
                "/ leading and trailing /x ",
                "/100%/%2F/%00",
                "/tab\tnewline\n",
                "/\u00e9t\u00e9/\u65e5\u672c\u8a9e",
                "/\uD83D\uDE00/x\uD83D\uDE00",
                "/back\\slash:*?\"<>|",
                "/\uFFFF\u0001"
            })
    void everyNormalAbsolutePathIsLegal(String text) {
        assertThat(new FilePath(text)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a",
                "a/b",
                "//",
                "//a",
                "/a//b",
                "/a/",
                "/.",
                "/..",
                "/a/.",
                "/a/..",
                "/./a",
                "/../a",
                "/a/../b",
                "/nul\0/x",
                "/\0",
                "/\uD83D",
                "/\uD83Dx",
                "/\uDE00",
                "/\uD83D/\uDE00",
                "/\uDE00\uD83D"
            })
    void everyOtherTextIsRefused(String text) {
        assertThatThrownBy(() -> new FilePath(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("path");
    }

    @Test
    void thePathMayHaveAsManyBytesAsTheFormatAllows() {
        for (String unit : List.of("x", "\u00e9", "\u65e5", "\uD83D\uDE00")) {
            int bytes = unit.getBytes(StandardCharsets.UTF_8).length;
            String level = "/" + unit.repeat(FilePath.MAX_NAME_BYTES / bytes);
            int levels = FilePath.MAX_BYTES / level.getBytes(StandardCharsets.UTF_8).length;
            String longest = level.repeat(levels);
            assertThat(new FilePath(longest).whyNotCreatable()).isEmpty();
            FilePath longer = new FilePath(longest + level);
            assertThat(longer.name()).as("may come to be by a rename").isEqualTo(level.substring(1));
            assertThatThrownBy(longer::checkCreatable)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("…: 65,")
                    .hasMessageEndingWith(" bytes, at most 65,535");
        }
    }

    @Test
    void aNameMayHaveAsManyBytesAsThoseOfLinux() {
        for (String unit : List.of("x", "\u00e9", "\u65e5", "\uD83D\uDE00")) {
            int bytes = unit.getBytes(StandardCharsets.UTF_8).length;
            int most = FilePath.MAX_NAME_BYTES / bytes;
            for (String below : List.of("", "/below")) {
                String longest = "/d/" + unit.repeat(most);
                assertThat(new FilePath(longest + below).whyNotCreatable()).isEmpty();
                FilePath longer = new FilePath(longest + unit + below);
                assertThatThrownBy(longer::checkCreatable)
                        .isInstanceOf(IOException.class)
                        .hasMessageEndingWith("a name of %d bytes, at most 255".formatted((most + 1) * bytes));
            }
        }
    }

    @Test
    void nothingIsCreatedBelowAThousandLevels() throws IOException {
        FilePath deepest = new FilePath("/a".repeat(FilePath.MAX_LEVELS));
        deepest.checkCreatable();
        FilePath.ROOT.checkCreatable();
        assertThatThrownBy(deepest.child("b")::checkCreatable)
                .isInstanceOf(IOException.class)
                .hasMessage("/a".repeat(40) + "…: 1,001 levels, at most 1,000");
    }

    @ParameterizedTest
    @CsvSource({"/,/", "a,/a", "//a///b//,/a/b", "/a/b/,/a/b", "'',/", "///,/"})
    void slashesAreFolded(String text, String path) {
        assertThat(FilePath.normalise(text)).hasToString(path);
    }

    @Test
    void normalisingDoesNotWalkUp() {
        assertThatThrownBy(() -> FilePath.normalise("/a/../b")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aPathKnowsItsFamily() {
        FilePath path = new FilePath("/a/b");
        assertThat(path.name()).isEqualTo("b");
        assertThat(path.parent()).contains(new FilePath("/a"));
        assertThat(new FilePath("/a").parent()).contains(FilePath.ROOT);
        assertThat(FilePath.ROOT.parent()).isEmpty();
        assertThat(FilePath.ROOT.child("a").child("b")).isEqualTo(path);
        assertThat(new FilePath("/a").contains(path)).isTrue();
        assertThat(path.contains(path)).isTrue();
        assertThat(FilePath.ROOT.contains(path)).isTrue();
        assertThat(path.contains(new FilePath("/a/bc"))).isFalse();
        assertThat(path.contains(new FilePath("/a"))).isFalse();
        assertThatThrownBy(() -> path.child("../c")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void pathsSortLikeTheirBytes() {
        List<FilePath> paths = new ArrayList<>();
        for (String name : List.of(
                "a",
                "a/b",
                "a b",
                "ab",
                "\u00e9",
                "\u07FF",
                "\uD7FF",
                "\uE000",
                "\uFFFF",
                "\uD83D\uDE00",
                "\uD83D\uDE01",
                "\uDBFF\uDFFF",
                "\uD83D\uDE00x",
                "\uFFFFx")) {
            paths.add(new FilePath("/" + name));
        }
        for (FilePath a : paths) {
            for (FilePath b : paths) {
                int byBytes = Arrays.compareUnsigned(
                        a.value().getBytes(StandardCharsets.UTF_8), b.value().getBytes(StandardCharsets.UTF_8));
                assertThat(Integer.signum(a.compareTo(b))).as("%s and %s", a, b).isEqualTo(Integer.signum(byBytes));
            }
        }
    }
}
