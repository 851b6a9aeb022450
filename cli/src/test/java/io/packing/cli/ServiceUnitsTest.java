// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Services write files and directories that their user alone can read. */
class ServiceUnitsTest {
    private static final Path UNITS = Path.of("../dist/src/main/systemd");

    @Test
    void whatServicesWriteIsTheirUsersAlone() throws IOException {
        List<Path> units;
        try (Stream<Path> all = Files.list(UNITS)) {
            units = all.filter(each -> each.toString().endsWith(".service")).toList();
        }
        assertThat(units).hasSizeGreaterThan(2);
        for (Path unit : units) {
            assertThat(Files.readAllLines(unit))
                    .as("%s", unit)
                    .contains(
                            "UMask=0077", "StateDirectoryMode=0700", "LogsDirectoryMode=0700", "NoNewPrivileges=true");
        }
    }
}
