// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.options.Option;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The reference list of docs/options.md agrees with the code. */
final class OptionsReferenceTest {
    private static final Path DOC = Path.of("../docs/options.md");

    @Test
    void theListHasEveryOptionWithItsDefaultAndMeaning() throws IOException {
        StringBuilder list = new StringBuilder();
        for (Option<?> option : MountOptions.OPTIONS) {
            String byDefault = option.defaultText().isEmpty() ? "" : " `" + option.defaultText() + "`";
            list.append("- `%s`%s: %s%n".formatted(option.key(), byDefault, option.meaning()));
        }
        assertThat(Files.readString(DOC))
                .as("docs/options.md differs from MountOptions.OPTIONS; the list must be:%n%s", list)
                .contains(list);
    }
}
