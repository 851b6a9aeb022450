// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.experiment;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import java.util.List;

/**
 * A dimension of a sweep.
 *
 * @param name of the parameter, or a word if its values change several parameters
 * @param title in tables and plots
 */
record Axis(String name, String title, List<Value> values) {
    /** @param changes of stack (and of trace, below {@code trace}) */
    record Value(String label, Config changes) {}

    Axis {
        values = List.copyOf(values);
        if (values.isEmpty()) {
            throw new IllegalArgumentException("sweep: axis '%s' has no values".formatted(name));
        }
    }

    static Axis from(Config c) {
        NameChecks.only(c, "sweep", List.of("axis", "title", "values"));
        String name = c.getString("axis");
        return new Axis(
                name,
                c.hasPath("title") ? c.getString("title") : name,
                c.getList("values").stream().map(v -> value(name, v)).toList());
    }

    private static Value value(String name, ConfigValue value) {
        if (value instanceof ConfigObject object) {
            Config c = object.toConfig();
            NameChecks.only(c, "sweep." + name, List.of("label", "set"));
            return new Value(c.getString("label"), c.getConfig("set"));
        }
        return new Value(
                String.valueOf(value.unwrapped()), ConfigFactory.empty().withValue(name, value));
    }
}
