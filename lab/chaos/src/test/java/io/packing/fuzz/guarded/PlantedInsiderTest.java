// SPDX-License-Identifier: Apache-2.0
package io.packing.fuzz.guarded;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.fuzz.battle.Finds;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A test with planted mistakes, by which an insider does harm that the judge must find. */
@Timeout(300)
final class PlantedInsiderTest {
    private static final long SEED = Long.getLong("packing.seed", 1);

    @TempDir
    private Path home;

    private List<String> finds(Plant plant, int calls) throws Exception {
        Finds finds = new Finds();
        try (Insiders insiders = new Insiders(home.resolve("house"), finds, SEED, plant)) {
            insiders.attack(calls);
            insiders.aftermath();
        }
        return finds.all().stream().map(Finds.Find::what).toList();
    }

    @Test
    void aMasterThatChecksNoRightsOnFilesIsFound() throws Exception {
        assertThat(finds(new Plant(Map.of("bdt.permissions", "false"), ""), 1_500))
                .as("seed %d", SEED)
                .anyMatch(what -> what.contains("tells a client without rights the secret"))
                .anyMatch(what -> what.contains("tells a client without rights a secret number"))
                .anyMatch(what -> what.contains("attackers have the secret"))
                .anyMatch(what -> what.startsWith("after the battle, '"));
    }

    @Test
    void anAttackerWithTheRoleOfASuperuserIsFound() throws Exception {
        assertThat(finds(new Plant(Map.of(), "packing-superuser"), 1_500))
                .as("seed %d", SEED)
                .anyMatch(what -> what.startsWith("Scan answers a client without a role"))
                .anyMatch(what -> what.startsWith("SetOptions answers a client without a role"))
                .anyMatch(what -> what.startsWith("Access tells a client the rights of"))
                .anyMatch(what -> what.startsWith("Issue gives a client a token of"));
    }

    @Test
    void anAttackerWithTheRoleOfADaemonIsFound() throws Exception {
        assertThat(finds(new Plant(Map.of(), "packing-daemon"), 700))
                .as("seed %d", SEED)
                .anyMatch(what -> what.startsWith("Register answers a client without a role"))
                .anyMatch(what -> what.startsWith("Keys answers a client without a role"));
    }

    @Test
    void withoutAMistakeNothingIsFound() throws Exception {
        // So few calls leave some methods out.
        assertThat(finds(Plant.NONE, 200)).as("seed %d", SEED).allMatch(what -> what.endsWith("was never called"));
    }
}
