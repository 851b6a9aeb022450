// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.Bdt;
import io.packing.bdt.FileStatus;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The paths of a model that are names of one file, for files with several names. */
final class ModelLinks {
    private final TreeMap<String, Integer> fileOf = new TreeMap<>();
    /** Files of clones, which may count names that the clone does not have. */
    private final Set<Integer> counted = new TreeSet<>();

    private int last;

    ModelLinks copy() {
        ModelLinks copy = new ModelLinks();
        copy.fileOf.putAll(fileOf);
        copy.counted.addAll(counted);
        copy.last = last;
        return copy;
    }

    /** Those below a directory, by path from there. */
    ModelLinks below(String directory) {
        ModelLinks below = new ModelLinks();
        int cut = directory.equals("/") ? 0 : directory.length();
        fileOf.forEach((path, file) -> {
            if (directory.equals("/") || path.startsWith(directory + "/")) {
                below.fileOf.put(path.substring(cut), file);
            }
        });
        return below;
    }

    /** A clone of a tree has files of its own, each with the names that the tree has of it. */
    void addClone(String to, ModelLinks tree) {
        Map<Integer, Integer> files = new TreeMap<>();
        tree.fileOf.forEach((path, file) -> fileOf.put(to + path, files.computeIfAbsent(file, first -> ++last)));
        counted.addAll(files.values());
    }

    void join(String file, String name) {
        fileOf.put(name, fileOf.computeIfAbsent(file, first -> ++last));
    }

    /** All names of the file that a path is one of. */
    Set<String> names(String path) {
        Set<String> names = new TreeSet<>(Set.of(path));
        Integer file = fileOf.get(path);
        fileOf.forEach((name, each) -> {
            if (each.equals(file)) {
                names.add(name);
            }
        });
        return names;
    }

    boolean areOne(String path, String other) {
        return names(path).contains(other);
    }

    /** Nothing is at a path any more, nor below it. */
    void leave(String tree) {
        fileOf.keySet().removeIf(path -> ModelPaths.isIn(tree, path));
    }

    void move(String from, String to) {
        leave(to);
        ModelPaths.move(fileOf, from, to);
    }

    /**
     * All names of a file lead to one version, and are counted.
     *
     * @param exact whether none is left in trees that are being removed
     */
    void compare(Bdt table, boolean exact, String what) throws IOException {
        Map<Integer, Set<String>> all = new TreeMap<>();
        fileOf.forEach((path, file) ->
                all.computeIfAbsent(file, first -> new TreeSet<>()).add(path));
        for (Map.Entry<Integer, Set<String>> each : all.entrySet()) {
            Set<String> names = each.getValue();
            boolean isExact = exact && !counted.contains(each.getKey());
            Set<FileVersion> found = new HashSet<>();
            for (String name : names) {
                FileStatus status = table.stat(new FilePath(name)).orElseThrow();
                int links = status.extras().links();
                assertThat(links >= names.size() && (!isExact || links == names.size()))
                        .as("%s: %s has the names %s", what, status, names)
                        .isTrue();
                found.add(status.version());
            }
            assertThat(found).as("%s: names %s", what, names).hasSize(1);
        }
    }
}
