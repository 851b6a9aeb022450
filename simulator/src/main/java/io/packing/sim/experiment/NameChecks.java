// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.experiment;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValueType;
import io.packing.options.Nearest;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Checks of names in an experiment's file. */
final class NameChecks {
    private NameChecks() {}

    /** Returns labels by the names of axes, which may be the dotted names of parameters. */
    static Map<String, String> selector(Config c) {
        TreeMap<String, String> selector = new TreeMap<>();
        collect("", c.root(), selector);
        return selector;
    }

    private static void collect(String path, ConfigObject object, Map<String, String> selector) {
        object.forEach((key, value) -> {
            String name = path + ConfigUtil.joinPath(key);
            if (value instanceof ConfigObject inner) {
                collect(name + ".", inner, selector);
            } else {
                selector.put(name, String.valueOf(value.unwrapped()));
            }
        });
    }

    /**
     * Requires that a section has only these names, each with a value.
     *
     * @param where place of the section, as a message calls it
     */
    static void only(Config c, String where, List<String> known) {
        c.root().forEach((name, value) -> {
            if (!known.contains(name)) {
                throw new IllegalArgumentException("%s: %s: no '%s'; the nearest are %s"
                        .formatted(value.origin().description(), where, name, Nearest.namesTo(name, known)));
            }
            if (value.valueType() == ConfigValueType.NULL) {
                throw new IllegalArgumentException(
                        "%s: %s: '%s' has no value".formatted(value.origin().description(), where, name));
            }
        });
    }
}
