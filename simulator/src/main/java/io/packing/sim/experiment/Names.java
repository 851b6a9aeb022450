package io.packing.sim.experiment;

import com.typesafe.config.Config;
import java.util.List;

/** Refuses names that nobody reads. */
final class Names {
    private Names() {}

    static void only(Config c, String where, List<String> known) {
        for (var name : c.root().keySet()) {
            if (!known.contains(name)) {
                throw new IllegalArgumentException("%s: no '%s'; there are %s".formatted(where, name, known));
            }
        }
    }
}
