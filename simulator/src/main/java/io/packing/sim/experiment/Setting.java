package io.packing.sim.experiment;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import java.util.ArrayList;
import java.util.List;

/**
 * One value that the command line sets in experiments.
 *
 * @param text as the user wrote it
 * @param name with dots between its parts; with or without the section that it belongs to
 */
public record Setting(String text, String name, ConfigValue value) {
    /**
     * What {@code NAME=VALUE} sets: one value, or several in braces.
     *
     * @throws IllegalArgumentException naming the text, when it is none
     */
    public static List<Setting> parse(String text) {
        var said = "--set " + text;
        Config config;
        try {
            config = ConfigFactory.parseString(
                            text, ConfigParseOptions.defaults().setOriginDescription(said))
                    .resolve();
        } catch (ConfigException e) {
            throw new IllegalArgumentException("%s: want NAME=VALUE: %s".formatted(said, e.getMessage()), e);
        }
        var settings = new ArrayList<Setting>();
        collect(text, "", config.root(), settings);
        if (settings.isEmpty()) {
            throw new IllegalArgumentException(said + ": want NAME=VALUE");
        }
        return settings;
    }

    private static void collect(String text, String path, ConfigObject object, List<Setting> settings) {
        for (var entry : object.entrySet()) {
            var name = path + ConfigUtil.joinPath(entry.getKey());
            var value = entry.getValue();
            if (value instanceof ConfigObject inner && !inner.isEmpty()) {
                collect(text, name + ".", inner, settings);
            } else {
                settings.add(
                        new Setting(text, name, value.withOrigin(value.origin().withLineNumber(-1))));
            }
        }
    }

    /** Its name in a section of an experiment, whether the user wrote the section or not. */
    String nameIn(String section) {
        return name.startsWith(section + ".") ? name.substring(section.length() + 1) : name;
    }

    /** The value below its name in a section. */
    Config in(String section) {
        return ConfigFactory.empty().withValue(nameIn(section), value);
    }
}
