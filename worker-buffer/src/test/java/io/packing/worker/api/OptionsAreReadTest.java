// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.BdtOptions;
import io.packing.options.Option;
import io.packing.store.StoreOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each option has a reader: an option that no code reads would be an empty promise. */
final class OptionsAreReadTest {
    /** Methods of the records by which others ask for a component, by its name. */
    private static final Map<String, String> METHODS = Map.of("called", "mountName", "uploadedPaths", "areUploaded");

    private static final Path ROOT = Path.of("..");
    private static final String MASTERS = "bdt-master";
    /** The records of a mount's options by topic. */
    private static final List<Class<? extends Record>> TOPICS = List.of(
            TimeoutOptions.class, PackOptions.class, BufferOptions.class, WriteOptions.class, ReadOptions.class);

    /** Returns production sources by their path. */
    private static Map<Path, String> sources() throws IOException {
        Map<Path, String> sources = new HashMap<>();
        try (Stream<Path> all = Files.walk(ROOT)) {
            all.filter(file -> file.toString().endsWith(".java")
                            && file.toString().contains("/src/main/java/")
                            && !file.toString().contains("/target/"))
                    .forEach(file -> sources.put(ROOT.relativize(file), text(file)));
        }
        return sources;
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long places(Map<Path, String> sources, String pattern, Path except) {
        Pattern compiled = Pattern.compile(pattern);
        return sources.entrySet().stream()
                .filter(source -> !source.getKey().equals(except)
                        && compiled.matcher(source.getValue()).find())
                .count();
    }

    @Test
    void everyOptionIsParsedSomewhereAndOnlyOnceOutsideOfTheMaster() throws Exception {
        Map<Path, String> sources = sources();
        List<Class<?>> holders = new ArrayList<>(TOPICS);
        holders.addAll(List.of(MountOptions.class, BdtOptions.class, StoreOptions.class));
        for (Class<?> holder : holders) {
            for (Field field : holder.getDeclaredFields()) {
                if (!Option.class.isAssignableFrom(field.getType())) {
                    continue;
                }
                List<Path> readers = new ArrayList<>();
                sources.forEach((path, text) -> {
                    String name = path.endsWith(holder.getSimpleName() + ".java")
                            ? field.getName()
                            : holder.getSimpleName() + "." + field.getName();
                    if (Pattern.compile("\\bget\\(\\s*" + Pattern.quote(name) + "\\b")
                            .matcher(text)
                            .find()) {
                        readers.add(path);
                    }
                });
                assertThat(readers).as("who reads %s", field.getName()).isNotEmpty();
                // The command line reaches a master without a mount, so it has no options of a mount to take it from.
                assertThat(readers.stream()
                                .filter(path -> !path.startsWith(MASTERS) && !path.endsWith("MasterTarget.java"))
                                // A master sends these options of a mount; they do not belong to this process.
                                .filter(path -> !path.endsWith("SharedMountOptions.java"))
                                .toList())
                        .as("%s is parsed once and handed on", field.getName())
                        .hasSizeLessThanOrEqualTo(1);
            }
        }
    }

    @Test
    void everyParsedOptionIsUsed() throws IOException {
        Map<Path, String> sources = sources();
        for (Class<? extends Record> parsed : List.of(MountOptions.class, StoreOptions.class)) {
            everyComponentIsUsed(sources, parsed, "[oO]ptions(\\(\\))?");
        }
        for (Class<? extends Record> topic : TOPICS) {
            RecordComponent component = Stream.of(MountOptions.class.getRecordComponents())
                    .filter(each -> each.getType() == topic)
                    .findFirst()
                    .orElseThrow();
            everyComponentIsUsed(sources, topic, "\\b%s\\(\\)".formatted(component.getName()));
        }
    }

    private static void everyComponentIsUsed(
            Map<Path, String> sources, Class<? extends Record> parsed, String receiver) {
        Path own = sources.keySet().stream()
                .filter(path -> path.endsWith(parsed.getSimpleName() + ".java"))
                .findFirst()
                .orElseThrow();
        for (RecordComponent component : parsed.getRecordComponents()) {
            String asked = METHODS.getOrDefault(component.getName(), component.getName());
            assertThat(places(sources, receiver + "\\s*\\.%s\\(".formatted(asked), own))
                    .as("who uses %s of %s", component.getName(), parsed.getSimpleName())
                    .isPositive();
        }
    }
}
