package io.packing.sim.experiment;

import com.typesafe.config.Config;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Refuses names that nobody reads. */
final class Names {
    private Names() {}

    /** Labels by the names of axes, which may be the dotted names of parameters. */
    static Map<String, String> selector(Config c) {
        var selector = new TreeMap<String, String>();
        c.entrySet()
                .forEach(e ->
                        selector.put(e.getKey(), String.valueOf(e.getValue().unwrapped())));
        return selector;
    }

    static void only(Config c, String where, List<String> known) {
        for (var name : c.root().keySet()) {
            if (!known.contains(name)) {
                throw new IllegalArgumentException("%s: no '%s'; there are %s".formatted(where, name, known));
            }
        }
    }
}
