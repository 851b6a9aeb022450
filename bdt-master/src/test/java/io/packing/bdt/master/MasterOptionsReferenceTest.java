package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.options.Option;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The reference table of the master in docs/options.md is what the code knows. */
class MasterOptionsReferenceTest {
    private static final Path DOC = Path.of("../docs/options.md");

    @Test
    void theTableListsEveryOptionWithItsDefaultAndMeaning() throws IOException {
        StringBuilder table = new StringBuilder("| option | default | meaning |\n|---|---|---|\n");
        for (Option<?> option : BdtMasterOptions.OPTIONS) {
            String byDefault = option.defaultText().isEmpty() ? "" : "`" + option.defaultText() + "`";
            table.append("| `%s` | %s | %s |%n".formatted(option.key(), byDefault, option.meaning()));
        }
        assertThat(Files.readString(DOC))
                .as("docs/options.md differs from BdtMasterOptions.OPTIONS; the table must be:%n%s", table)
                .contains(table);
    }
}
