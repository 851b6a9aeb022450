// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.options.Option;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The reference list of the master in docs/options.md is what the code knows. */
class MasterOptionsReferenceTest {
    private static final Path DOC = Path.of("../docs/options.md");

    @Test
    void theListHasEveryOptionWithItsDefaultAndMeaning() throws IOException {
        String page = Files.readString(DOC);
        StringBuilder list = new StringBuilder();
        StringBuilder twins = new StringBuilder();
        for (Option<?> option : BdtMasterOptions.OPTIONS) {
            String byDefault = option.defaultText().isEmpty() ? "" : " `" + option.defaultText() + "`";
            String meaning = "`%s: %s%n".formatted(byDefault, option.meaning());
            // An option of mounts that means the same explains it.
            if (page.contains("- `packing." + option.key().substring("bdt.".length()) + meaning)) {
                twins.append(twins.isEmpty() ? "" : ", ").append("`%s`".formatted(option.key()));
            } else {
                list.append("- `").append(option.key()).append(meaning);
            }
        }
        list.append("- %s: as `packing.…` of this name%n".formatted(twins));
        assertThat(page)
                .as("docs/options.md differs from BdtMasterOptions.OPTIONS; the list must be:%n%s", list)
                .contains(list);
    }
}
