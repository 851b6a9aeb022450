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

/** A test with planted mistakes, by which a client that opens first does harm that the judge must find. */
@Timeout(300)
final class PlantedOpenerTest {
    private static final long SEED = Long.getLong("packing.seed", 1);

    @TempDir
    private Path home;

    @Test
    void anOpenerWithARoleIsFound() throws Exception {
        Finds finds = new Finds();
        try (Openers openers =
                new Openers(home.resolve("house"), finds, SEED, new Plant(Map.of(), "packing-superuser"))) {
            openers.open(400);
            openers.look("after opens");
        }
        assertThat(finds.all().stream().map(Finds.Find::what).toList())
                .as("seed %d", SEED)
                .anyMatch(what -> what.contains("a client without a role made the mount"))
                .anyMatch(what -> what.contains("an open gives a client the right to change options"))
                .anyMatch(what -> what.contains("the options of") && what.contains("changed"))
                .anyMatch(what -> what.contains("there are mounts that no operator made"))
                .anyMatch(what -> what.contains("a store has a mount that no operator made"));
    }

    @Test
    void aMountThatIsLessDurableThanItsOwnerWasToldIsFound() throws Exception {
        Finds finds = new Finds();
        try (Openers openers =
                new Openers(home.resolve("house"), finds, SEED, Plant.NONE, Map.of("packing.durability", "buffered"))) {
            openers.open(20);
            openers.aftermath();
        }
        assertThat(finds.all().stream().map(Finds.Find::what).toList())
                .as("seed %d", SEED)
                .anyMatch(what -> what.startsWith("after the machines were lost, '"));
    }

    @Test
    void withoutAMistakeNothingIsFound() throws Exception {
        Finds finds = new Finds();
        try (Openers openers = new Openers(home.resolve("house"), finds, SEED, Plant.NONE)) {
            openers.open(400);
            openers.aftermath();
        }
        assertThat(finds.all()).as("seed %d", SEED).extracting(Finds.Find::what).isEqualTo(List.of());
    }
}
