// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.databases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.packing.lab.databases.DatabasesExperiment.Kill;
import io.packing.lab.databases.SqliteWriter.Found;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The verdict on a database after a kill: a lost row and a damaged file are seen. */
class DatabaseKillTest {
    private static final Set<Integer> ACKNOWLEDGED = Set.of(1, 2, 3);

    private static Kill kill(String integrity, Set<Integer> rows) {
        return Kill.of("sqlite", SqliteJournal.WAL, ACKNOWLEDGED, new Found(integrity, rows));
    }

    @Test
    void aRowThatWasNotAcknowledgedMayBeThere() {
        assertThat(kill("ok", Set.of(1, 2, 3, 4)).isClean()).isTrue();
    }

    @Test
    void anAcknowledgedRowThatIsNotThereIsMissing() {
        Kill kill = kill("ok", Set.of(1, 3, 4));
        assertThat(kill.missing()).isEqualTo(1);
        assertThat(kill.isClean()).isFalse();
    }

    @Test
    void aDatabaseThatSqliteCallsDamagedIsNotClean() {
        assertThat(kill("row 2 missing from index", ACKNOWLEDGED).isClean()).isFalse();
    }

    /** Its first page is that of a database, and the others have other bytes. */
    @Test
    void aDatabaseWithOtherBytesIsDamaged(@TempDir Path home) throws IOException, InterruptedException {
        assumeThat(Files.isExecutable(Path.of("/usr/bin/sqlite3")))
                .as("it needs sqlite3: apt-get install sqlite3")
                .isTrue();
        SqliteWriter sqlite = SqliteWriter.find(home.resolve("scripts"));
        Path database = home.resolve("a.db");
        double unused = sqlite.commit(database, SqliteJournal.DELETE, 100);
        assertThat(sqlite.check(database).rows()).hasSize(100);
        byte[] bytes = Files.readAllBytes(database);
        for (int i = 4096; i < bytes.length; i++) {
            bytes[i] ^= 0x55;
        }
        Files.write(database, bytes);
        Found found = sqlite.check(database);
        assertThat(Kill.of("sqlite", SqliteJournal.DELETE, ACKNOWLEDGED, found).isClean())
                .isFalse();
    }
}
