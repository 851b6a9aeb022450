// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import io.packing.bdt.ExtendedChange;
import io.packing.bdt.ExtendedValue;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The extended attributes of a model's files and directories, by path. */
final class ModelAttributes {
    private final TreeMap<String, Map<String, ExtendedValue>> byPath = new TreeMap<>();

    /** Returns the text of an entry with these attributes. */
    static String shown(Map<String, ExtendedValue> attributes) {
        return attributes.isEmpty() ? "" : " " + new TreeMap<>(attributes);
    }

    String shown(String path) {
        return shown(of(path));
    }

    Map<String, ExtendedValue> of(String path) {
        return byPath.getOrDefault(path, Map.of());
    }

    void put(String path, Map<String, ExtendedValue> attributes) {
        if (attributes.isEmpty()) {
            byPath.remove(path);
        } else {
            byPath.put(path, Map.copyOf(attributes));
        }
    }

    void putAll(String top, ModelAttributes below) {
        below.byPath.forEach((path, attributes) -> byPath.put(top + path, attributes));
    }

    /** Those of what is below a directory, by path from there. */
    ModelAttributes below(String directory) {
        ModelAttributes below = new ModelAttributes();
        int cut = directory.equals("/") ? 0 : directory.length();
        byPath.forEach((path, attributes) -> {
            if (path.length() > cut && path.startsWith(directory) && path.charAt(cut) == '/' && !path.equals("/")) {
                below.byPath.put(path.substring(cut), attributes);
            }
        });
        return below;
    }

    ModelAttributes copy() {
        ModelAttributes copy = new ModelAttributes();
        copy.byPath.putAll(byPath);
        return copy;
    }

    void remove(String tree) {
        byPath.keySet().removeIf(path -> ModelPaths.isIn(tree, path));
    }

    void move(String from, String to) {
        remove(to);
        ModelPaths.move(byPath, from, to);
    }

    /** Takes steps; false: one of them cannot be taken. */
    boolean change(String path, List<ExtendedChange> steps) {
        Optional<Map<String, ExtendedValue>> changed = changed(of(path), steps);
        changed.ifPresent(now -> put(path, now));
        return changed.isPresent();
    }

    static Optional<Map<String, ExtendedValue>> changed(Map<String, ExtendedValue> before, List<ExtendedChange> steps) {
        Map<String, ExtendedValue> now = new TreeMap<>(before);
        for (ExtendedChange step : steps) {
            boolean isThere = now.containsKey(step.name());
            boolean mustBe = step.kind() == ExtendedChange.Kind.REPLACE || step.kind() == ExtendedChange.Kind.REMOVE;
            if ((step.kind() == ExtendedChange.Kind.CREATE && isThere) || (mustBe && !isThere)) {
                return Optional.empty();
            }
            switch (step.kind()) {
                case PUT, CREATE, REPLACE -> now.put(step.name(), step.value());
                case REMOVE, DROP -> now.remove(step.name());
                case CLEAR -> now.clear();
            }
        }
        return Optional.of(now);
    }
}
