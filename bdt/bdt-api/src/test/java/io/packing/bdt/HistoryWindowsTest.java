// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.packing.blob.FilePath;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The option {@code packing.history.paths}, and the names of states. */
class HistoryWindowsTest {
    @Test
    void directoriesAreReadWithTheirWindows() {
        assertThat(HistoryWindows.parse(" /projects = 1h , /a=b/=7d,").windows())
                .isEqualTo(Map.of(
                        new FilePath("/projects"), Duration.ofHours(1), new FilePath("/a=b"), Duration.ofDays(7)));
        assertThat(HistoryWindows.parse("").isEmpty()).isTrue();
        assertThat(HistoryWindows.parse("/=1d").windows()).containsOnlyKeys(FilePath.ROOT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/d",
                "d=1h",
                "/d=",
                "/d=1",
                "/d=-1s",
                "/d=10ms",
                "/d/.snapshot/s=1h",
                "/.reserved/x=1h",
                "=1h",
                "/d=1h=x",
                "/d/../..=1h"
            })
    void whatIsNoDirectoryOrWindowIsNamed(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HistoryWindows.parse(text))
                .withMessageContaining("/projects=1h,/db=7d, not '" + text);
    }

    @Test
    void tooManyDirectoriesAndStatesAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HistoryWindows.parse("/d=1h,/d=2h"))
                .withMessage("/d is named twice");
        StringBuilder many = new StringBuilder();
        for (int i = 0; i <= 100; i++) {
            many.append(",/d").append(i).append("=1h");
        }
        assertThatIllegalArgumentException().isThrownBy(() -> HistoryWindows.parse(many.toString()));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SharedMountOptions.of(Map.of("packing.history.paths", "/d=30d")))
                .withMessageContaining("/d would have more than 700000 states; raise packing.history.every");
        assertThat(SharedMountOptions.of(Map.of("packing.history.paths", "/d=30d", "packing.history.every", "10s"))
                        .history()
                        .longest())
                .isEqualTo(Duration.ofDays(30));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0s", "500ms", "1500ms", "2d", "x"})
    void anIntervalIsWholeSeconds(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> HistoryWindows.every(text));
    }

    @Test
    void aNameIsATimeAndSortsAsIt() {
        Instant time = Instant.parse("2026-11-30T20:07:13.9Z");
        assertThat(HistoryName.of(time)).isEqualTo("at-2026-11-30T20:07:13Z");
        assertThat(HistoryName.time("at-2026-11-30T20:07:13Z")).contains(Instant.parse("2026-11-30T20:07:13Z"));
        assertThat(HistoryName.of(HistoryName.LATEST)).isEqualTo("at-9999-12-31T23:59:59Z");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "at-2026-11-30T20:07:1Z",
                "at-2026-02-30T20:07:13Z",
                "at-2026-11-30T20:07:13z",
                "at-1969-12-31T23:59:59Z",
                "at-2026-11-30T20:07.13Z",
                "at-2026-11-30T24:00:00Z",
                "AT-2026-11-30T20:07:13Z",
                "at-",
                ""
            })
    void otherNamesAreNone(String name) {
        assertThat(HistoryName.isOne(name)).isFalse();
        assertThat(HistoryName.time(name)).isEmpty();
    }
}
