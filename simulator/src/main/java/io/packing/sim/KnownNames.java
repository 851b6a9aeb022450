// SPDX-License-Identifier: Apache-2.0
package io.packing.sim;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import io.packing.options.Nearest;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a section of an experiment: those of its defaults. Unknown names are refused at every depth. The
 * check finds names with the value {@code null} or an empty section, too, which a walk over a configuration's entries
 * misses.
 *
 * @param section such as {@code stack}, as messages call it
 * @param defaults every parameter with its default
 * @param open paths of sections whose readers check the names themselves
 */
public record KnownNames(String section, Config defaults, List<String> open) {
    public KnownNames {
        open = List.copyOf(open);
    }

    public KnownNames(String section, Config defaults) {
        this(section, defaults, List.of());
    }

    /**
     * Requires that every name is one of the defaults'.
     *
     * @throws IllegalArgumentException naming the first unknown name, its place, and the nearest known names
     */
    public void check(Config changes) {
        check("", changes.root(), defaults.root());
    }

    private void check(String path, ConfigObject changes, ConfigObject known) {
        for (Map.Entry<String, ConfigValue> entry : changes.entrySet()) {
            String name = path + ConfigUtil.joinPath(entry.getKey());
            if (!open.contains(name)) {
                check(name, entry.getValue(), known.get(entry.getKey()));
            }
        }
    }

    private void check(String name, ConfigValue value, @Nullable ConfigValue known) {
        if (known == null) {
            throw refusal(
                    value,
                    "no parameter '%s'; the nearest are %s"
                            .formatted(full(name), Nearest.namesTo(full(name), fullNames())));
        }
        if (value.valueType() == ConfigValueType.NULL) {
            throw refusal(value, "'%s' has no value".formatted(full(name)));
        }
        if (known instanceof ConfigObject inner) {
            if (!(value instanceof ConfigObject object)) {
                throw refusal(
                        value,
                        "'%s' is not a parameter but a section: %s"
                                .formatted(
                                        full(name),
                                        fullNames().stream()
                                                .filter(each -> each.startsWith(full(name) + "."))
                                                .toList()));
            }
            check(name + ".", object, inner);
        } else if (value instanceof ConfigObject) {
            throw refusal(value, "'%s' is a parameter; it has no others below it".formatted(full(name)));
        }
    }

    private static IllegalArgumentException refusal(ConfigValue value, String why) {
        return new IllegalArgumentException("%s: %s".formatted(value.origin().description(), why));
    }

    private String full(String name) {
        return section + "." + name;
    }

    private List<String> fullNames() {
        return defaults.entrySet().stream()
                .map(entry -> full(entry.getKey()))
                .sorted()
                .toList();
    }
}
