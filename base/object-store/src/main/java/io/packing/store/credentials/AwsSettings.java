// SPDX-License-Identifier: Apache-2.0
package io.packing.store.credentials;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;

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

    /** Returns the settings that ask for sources behind the one that is used; they have no effect. */
    public List<String> passedOver(Source.Kind used) {
        Map<Source.Kind, Stream<AwsSetting>> asking = new EnumMap<>(Map.of(
                Source.Kind.WEB_IDENTITY, Stream.of(AwsSetting.TOKEN_FILE),
                Source.Kind.PROFILE, Stream.of(AwsSetting.PROFILE),
                Source.Kind.CONTAINER, Stream.of(AwsSetting.CONTAINER_URI, AwsSetting.CONTAINER_PATH)));
        List<String> names = new ArrayList<>();
        if (used.compareTo(Source.Kind.ENVIRONMENT) < 0) {
            given(environment, AwsSetting.ACCESS_KEY.variable()).ifPresent(found -> names.add(found.name()));
        }
        asking.forEach((kind, settings) -> {
            if (used.compareTo(kind) < 0) {
                settings.flatMap(setting -> find(setting).stream())
                        .map(Given::name)
                        .forEach(names::add);
            }
        });
        return names;
    }

    /** Returns the setting that leads the SDK to another server than AWS's, with the server's URL. */
    public Optional<String> otherServer() {
        return find(AwsSetting.S3_ENDPOINT)
                .or(() -> find(AwsSetting.ENDPOINT))
                .map(found -> "%s=%s".formatted(found.name(), found.value()));
    }

    /** Returns the folder of the user, as AWS's tools find it. */
    Path home() {
        String named = environment.getOrDefault("HOME", "");
        return Path.of(named.isEmpty() ? properties.getOrDefault("user.home", "") : named);
    }
}
