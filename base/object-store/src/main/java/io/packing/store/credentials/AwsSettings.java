package io.packing.store.credentials;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/** The settings of AWS's SDK that a process has. A property of Java goes before the variable, as in the SDK. */
public record AwsSettings(Map<String, String> properties, Map<String, String> environment) {
    public AwsSettings {
        properties = Map.copyOf(properties);
        environment = Map.copyOf(environment);
    }

    /**
     * A setting that has a value.
     *
     * @param name the property or the variable that has it
     */
    record Given(String name, String value) {}

    /** Returns the present settings of this process. */
    public static AwsSettings ofProcess() {
        Properties all = System.getProperties();
        Map<String, String> properties = new HashMap<>();
        all.stringPropertyNames().forEach(name -> properties.put(name, all.getProperty(name, "")));
        return new AwsSettings(properties, System.getenv());
    }

    /** Returns a setting; empty when it is blank, too. */
    Optional<Given> find(AwsSetting setting) {
        return given(properties, setting.property()).or(() -> given(environment, setting.variable()));
    }

    private static Optional<Given> given(Map<String, String> all, String name) {
        String value = all.getOrDefault(name, "").strip();
        return value.isEmpty() ? Optional.empty() : Optional.of(new Given(name, value));
    }

    /** Returns the folder of the user, as AWS's tools find it. */
    Path home() {
        String named = environment.getOrDefault("HOME", "");
        return Path.of(named.isEmpty() ? properties.getOrDefault("user.home", "") : named);
    }
}
