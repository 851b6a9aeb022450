// SPDX-License-Identifier: Apache-2.0
package io.packing.it.rollback;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** A tree of files with their bytes, as a mount must show them, with the changes that a mount can do. */
final class TreeModel {
    private static final String SNAPSHOTS = "/.snapshot/";

    private final TreeMap<String, ModelFile> files = new TreeMap<>();
    /** The directories without the root. */
    private final TreeSet<String> directories = new TreeSet<>();
    /** The snapshots by their path, such as {@code /a/.snapshot/s}. */
    private final TreeMap<String, TreeModel> snapshots = new TreeMap<>();

    private final TreeSet<String> quotas = new TreeSet<>();
    private int lastFile;

    TreeModel copy() {
        TreeModel copy = new TreeModel();
        copy.files.putAll(files);
        copy.directories.addAll(directories);
        copy.snapshots.putAll(snapshots);
        copy.quotas.addAll(quotas);
        copy.lastFile = lastFile;
        return copy;
    }

    static String parent(String path) {
        int slash = path.lastIndexOf('/');
        return slash <= 0 ? "/" : path.substring(0, slash);
    }

    static String child(String directory, String name) {
        return directory.equals("/") ? "/" + name : directory + "/" + name;
    }

    static boolean isIn(String directory, String path) {
        return path.equals(directory) || directory.equals("/") || path.startsWith(directory + "/");
    }

    /** Returns all paths of the present and of snapshots: files, and empty for directories. */
    Map<String, Optional<ModelFile>> entries() {
        Map<String, Optional<ModelFile>> entries = new TreeMap<>();
        files.forEach((path, file) -> entries.put(path, Optional.of(file)));
        directories.forEach(path -> entries.put(path, Optional.empty()));
        snapshots.forEach((root, tree) -> {
            entries.put(root, Optional.empty());
            tree.files.forEach((path, file) -> entries.put(root + path, Optional.of(file)));
            tree.directories.forEach(path -> entries.put(root + path, Optional.empty()));
        });
        return entries;
    }

    Map<String, ModelFile> files() {
        return files;
    }

    Set<String> directories() {
        return directories;
    }

    Set<String> snapshots() {
        return snapshots.keySet();
    }

    Set<String> quotas() {
        return quotas;
    }

    /** Returns the number of names in a directory tree, the directory among them. */
    long names(String directory) {
        return files.keySet().stream().filter(path -> isIn(directory, path)).count()
                + directories.stream().filter(path -> isIn(directory, path)).count()
                + (directory.equals("/") ? 1 : 0);
    }

    /** Returns the directories of the present, with the root. */
    List<String> places() {
        List<String> places = new ArrayList<>(directories);
        places.add("/");
        return places;
    }

    boolean exists(String path) {
        return files.containsKey(path) || directories.contains(path);
    }

    /** Returns all names of the file at a path. */
    Set<String> names(ModelFile file) {
        return files.entrySet().stream()
                .filter(each -> each.getValue().number() == file.number())
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns whether a file has several names. */
    boolean hasLinks() {
        Set<Integer> numbers = new HashSet<>();
        return !files.values().stream().allMatch(file -> numbers.add(file.number()));
    }

    boolean hasSnapshotsBelow(String directory) {
        return snapshots.keySet().stream()
                .anyMatch(path -> path.startsWith(child(directory, ".snapshot/"))
                        || isIn(directory, path.substring(0, Math.max(1, path.indexOf(SNAPSHOTS)))));
    }

    /** Returns the file at a path, which may be in a snapshot. */
    ModelFile file(String path) {
        return Optional.ofNullable(tree(path).files.get(inTree(path)))
                .orElseThrow(() -> new IllegalArgumentException("no file at " + path));
    }

    /** Returns the snapshot that a path leads into, or this. */
    private TreeModel tree(String path) {
        return snapshots.entrySet().stream()
                .filter(each -> isIn(each.getKey(), path))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(this);
    }

    private String inTree(String path) {
        return snapshots.keySet().stream()
                .filter(root -> isIn(root, path))
                .map(root -> path.substring(root.length()))
                .findFirst()
                .orElse(path);
    }

    void write(String path, byte[] bytes, int write) {
        makeDirectory(parent(path));
        files.put(path, new ModelFile(++lastFile, bytes, Set.of(write)));
    }

    /** Returns a file that nothing has yet. */
    ModelFile newFile(byte[] bytes, int write) {
        return new ModelFile(++lastFile, bytes, Set.of(write));
    }

    /** Puts files at paths, and takes away what has none any more. */
    void put(Map<String, Optional<ModelFile>> changed) {
        changed.forEach((path, file) -> file.ifPresentOrElse(each -> files.put(path, each), () -> files.remove(path)));
    }

    /** Returns the snapshot that a path of the past leads into. */
    static String snapshotOf(String path) {
        int end = path.indexOf('/', path.indexOf(SNAPSHOTS) + SNAPSHOTS.length());
        return end < 0 ? path : path.substring(0, end);
    }

    void makeDirectory(String path) {
        for (String at = path; !at.equals("/"); at = parent(at)) {
            directories.add(at);
        }
    }

    /** Changes a file, by any of its names. */
    void change(String path, UnaryOperator<ModelFile> change) {
        ModelFile before = file(path);
        ModelFile after = change.apply(before);
        names(before).forEach(name -> files.put(name, after));
    }

    void link(String file, String name) {
        files.put(name, file(file));
    }

    void cloneFile(String from, String to) {
        files.put(to, file(from).as(++lastFile));
    }

    void cloneDirectory(String from, String to) {
        TreeModel source = tree(from).below(inTree(from));
        directories.add(to);
        Map<Integer, Integer> numbers = new HashMap<>();
        source.directories.forEach(path -> directories.add(to + path));
        source.files.forEach((path, file) ->
                files.put(to + path, file.as(numbers.computeIfAbsent(file.number(), each -> ++lastFile))));
    }

    private TreeModel below(String directory) {
        int cut = directory.equals("/") ? 0 : directory.length();
        TreeModel below = new TreeModel();
        files.forEach((path, file) -> {
            if (isIn(directory, path)) {
                below.files.put(path.substring(cut), file);
            }
        });
        directories.forEach(path -> {
            if (isIn(directory, path) && path.length() > cut) {
                below.directories.add(path.substring(cut));
            }
        });
        return below;
    }

    void takeSnapshot(String directory, String name) {
        snapshots.put(child(directory, ".snapshot/" + name), below(directory));
    }

    void dropSnapshot(String path) {
        snapshots.remove(path);
    }

    void putQuota(String directory) {
        quotas.add(directory);
    }

    void clearQuota(String directory) {
        quotas.remove(directory);
    }

    void delete(String path) {
        files.keySet().removeIf(each -> isIn(path, each));
        directories.removeIf(each -> isIn(path, each));
        quotas.removeIf(each -> isIn(path, each));
    }

    void rename(String from, String to) {
        move(files, from, to);
        move(snapshots, from, to);
        for (Set<String> paths : List.of(directories, quotas)) {
            Set<String> moved = paths.stream().filter(each -> isIn(from, each)).collect(Collectors.toSet());
            paths.removeAll(moved);
            moved.forEach(each -> paths.add(to + each.substring(from.length())));
        }
    }

    private static <V> void move(Map<String, V> map, String from, String to) {
        Map<String, V> moved = new HashMap<>();
        map.forEach((path, value) -> {
            if (isIn(from, path)) {
                moved.put(path, value);
            }
        });
        moved.keySet().forEach(map::remove);
        moved.forEach((path, value) -> map.put(to + path.substring(from.length()), value));
    }

    /** Replaces the model by a mount's tree. */
    void adopt(Map<String, Optional<ModelFile>> entries, Set<String> withQuotas) {
        files.clear();
        directories.clear();
        snapshots.clear();
        quotas.clear();
        quotas.addAll(withQuotas);
        entries.forEach((path, file) -> {
            lastFile = Math.max(lastFile, file.map(ModelFile::number).orElse(0));
            int at = path.indexOf(SNAPSHOTS);
            if (at < 0) {
                file.ifPresentOrElse(it -> files.put(path, it), () -> directories.add(path));
                return;
            }
            int end = path.indexOf('/', at + SNAPSHOTS.length());
            TreeModel tree =
                    snapshots.computeIfAbsent(end < 0 ? path : path.substring(0, end), root -> new TreeModel());
            if (end >= 0) {
                String inside = path.substring(end);
                file.ifPresentOrElse(it -> tree.files.put(inside, it), () -> tree.directories.add(inside));
            }
        });
    }
}
