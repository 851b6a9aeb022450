// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.experiment;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueFactory;
import com.typesafe.config.ConfigValueType;
import io.packing.options.Parsers;
import io.packing.sim.KnownNames;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A value that the command line sets in experiments.
 *
 * @param text as the user wrote it
 * @param name with dots between its parts; with or without the section that it belongs to
 */
public record Setting(String text, String name, ConfigValue value) {
    /** The name of a capacity such as 1 GB: its default of 0 is a number, but its values are sizes. */
    private static final String SIZE = "bytes";

    /**
     * Parses {@code NAME=VALUE}: one setting, or several in braces.
     *
     * @throws IllegalArgumentException naming the text, if it is none
     */
    public static List<Setting> parse(String text) {
        String said = "--set " + text;
        Config config;
        try {
            config = ConfigFactory.parseString(
                            text, ConfigParseOptions.defaults().setOriginDescription(said))
                    .resolve();
        } catch (ConfigException e) {
            throw new IllegalArgumentException("%s: want NAME=VALUE: %s".formatted(said, e.getMessage()), e);
        }
        List<Setting> settings = new ArrayList<>();
        collect(text, "", config.root(), settings);
        if (settings.isEmpty()) {
            throw new IllegalArgumentException(said + ": want NAME=VALUE");
        }
        return settings;
    }

    private static void collect(String text, String path, ConfigObject object, List<Setting> settings) {
        for (Map.Entry<String, ConfigValue> entry : object.entrySet()) {
            String name = path + ConfigUtil.joinPath(entry.getKey());
            ConfigValue value = entry.getValue();
            if (value instanceof ConfigObject inner && !inner.isEmpty()) {
                collect(text, name + ".", inner, settings);
            } else {
                settings.add(
                        new Setting(text, name, value.withOrigin(value.origin().withLineNumber(-1))));
            }
        }
    }

    /** Returns the setting's name in a section of an experiment, whether the user wrote the section or not. */
    String nameIn(String section) {
        return name.startsWith(section + ".") ? name.substring(section.length() + 1) : name;
    }

    /** Returns the value below its name in a section. The command line accepts its usual forms of numbers. */
    Config in(KnownNames names) {
        String name = nameIn(names.section());
        Config known = names.defaults();
        boolean number = value.valueType() == ConfigValueType.STRING
                && !name.equals(SIZE)
                && known.hasPath(name)
                && known.getValue(name).valueType() == ConfigValueType.NUMBER;
        return ConfigFactory.empty().withValue(name, number ? number() : value);
    }

    private ConfigValue number() {
        try {
            BigDecimal number = Parsers.number(String.valueOf(value.unwrapped()));
            boolean whole = number.stripTrailingZeros().scale() <= 0;
            return ConfigValueFactory.fromAnyRef(
                            whole ? (Number) number.longValueExact() : (Number) number.doubleValue())
                    .withOrigin(value.origin());
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new IllegalArgumentException("--set %s: %s".formatted(text, e.getMessage()), e);
        }
    }
}
