// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import io.packing.bdt.ByteRange;
import io.packing.bdt.ExtendedChange;
import io.packing.bdt.ExtendedValue;
import io.packing.bdt.Operation;
import io.packing.blob.FilePath;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A tree of files whose operations copy bytes: the model of a table that shares them. */
final class ByteModel {
    private final TreeMap<String, byte[]> files;
    /** Present directories, without the root. */
    private final TreeMap<String, Boolean> directories;
    /** By directory and name; never changed once they are taken. */
    private final TreeMap<String, Map<String, ByteModel>> snapshots = new TreeMap<>();

    private ModelAttributes attributes = new ModelAttributes();
    private ModelLinks links = new ModelLinks();
    private boolean hadLinks;

    /** The attributes of the directory of which this is a snapshot. */
    private Map<String, ExtendedValue> ofRoot = Map.of();

    ByteModel() {
        this(Map.of(), Map.of());
    }

    private ByteModel(Map<String, byte[]> files, Map<String, Boolean> directories) {
        this.files = new TreeMap<>(files);
        this.directories = new TreeMap<>(directories);
    }

    ByteModel copy() {
        TreeMap<String, byte[]> copied = new TreeMap<>();
        files.forEach((path, bytes) -> copied.put(path, bytes.clone()));
        ByteModel copy = new ByteModel(copied, directories);
        snapshots.forEach((directory, named) -> copy.snapshots.put(directory, new TreeMap<>(named)));
        copy.attributes = attributes.copy();
        copy.links = links.copy();
        copy.hadLinks = hadLinks;
        return copy;
    }

    /** All there is at and below a directory, by path from there. */
    private ByteModel below(String directory) {
        int cut = directory.equals("/") ? 0 : directory.length();
        ByteModel below = new ByteModel();
        below.attributes = attributes.below(directory);
        below.links = links.below(directory);
        copy().files.forEach((path, bytes) -> {
            if (directory.equals("/") || path.startsWith(directory + "/")) {
                below.files.put(path.substring(cut), bytes);
            }
        });
        directories.keySet().forEach(path -> {
            if (directory.equals("/") || path.startsWith(directory + "/")) {
                below.directories.put(path.substring(cut), true);
            }
        });
        return below;
    }

    /** The snapshots by directory and name. */
    Map<String, Map<String, ByteModel>> snapshots() {
        return snapshots;
    }

    Map<String, byte[]> files() {
        return files;
    }

    /** Returns whether a file ever had several names. */
    boolean hadLinks() {
        return hadLinks;
    }

    ModelLinks links() {
        return links;
    }

    Iterable<String> directories() {
        return directories.keySet();
    }

    /** Every path of the present and of snapshots, with the bytes of a file in the given form, or a word. */
    Map<String, String> entries(Function<byte[], String> form) {
        Map<String, String> entries = new TreeMap<>();
        files.forEach((path, bytes) -> entries.put(path, form.apply(bytes) + attributes.shown(path)));
        directories.keySet().forEach(path -> entries.put(path, "directory" + attributes.shown(path)));
        snapshots.forEach((directory, named) -> named.forEach((name, snapshot) -> {
            String root = (directory.equals("/") ? "" : directory) + "/.snapshot/" + name;
            entries.put(root, "snapshot");
            snapshot.entries(form).forEach((path, entry) -> entries.put(root + path, entry));
        }));
        return entries;
    }

    Set<String> directoriesAndRoot() {
        Set<String> all = new TreeSet<>(directories.keySet());
        all.add("/");
        return all;
    }

    boolean isEmpty() {
        return files.isEmpty() && directories.isEmpty();
    }

    /** Writes a file, and its missing directories; returns whether it may be written. */
    boolean write(String path, byte[] bytes) {
        if (isDirectory(path) || !makeParents(path)) {
            return false;
        }
        files.put(path, bytes.clone());
        attributes.remove(path);
        links.leave(path);
        return true;
    }

    /** Applies an operation; false: it is refused, and this model is not worth anything any more. */
    boolean apply(Operation operation) {
        if (operation instanceof Operation.CloneRange o) {
            return splice(o.source(), o.destination(), o.at(), false);
        } else if (operation instanceof Operation.MoveRange o) {
            return splice(o.source(), o.destination(), o.at(), true);
        } else if (operation instanceof Operation.DeleteRange o) {
            return punch(o.range());
        } else if (operation instanceof Operation.Truncate o) {
            byte[] bytes = files.get(o.path().value());
            return bytes != null && put(o.path(), Arrays.copyOf(bytes, (int) o.length()));
        } else if (operation instanceof Operation.CloneFile o) {
            return cloneFile(o);
        } else if (operation instanceof Operation.CloneDirectory o) {
            return cloneDirectory(o.source(), o.destination().value());
        } else if (operation instanceof Operation.Rename o) {
            return rename(o.from().value(), o.to().value(), o.overwrite());
        } else if (operation instanceof Operation.Link o) {
            return link(o.file().value(), o.name().value());
        } else if (operation instanceof Operation.MergeDirectory o) {
            return new ModelMerge(this).merge(o.from().value(), o.to().value());
        } else if (operation instanceof Operation.MergeEachDirectory o) {
            return new ModelMerge(this).mergeEach(o.from().value(), o.except(), o.to().value());
        } else if (operation instanceof Operation.CreateFile o) {
            String path = o.path().value();
            return isDirectory(ModelPaths.parent(path))
                    && (!exists(path) || (o.overwrite() && !isDirectory(path)))
                    && write(path, new byte[0])
                    && attributes.change(path, o.change().extra().extended());
        } else if (operation instanceof Operation.Delete o) {
            String path = o.path().value();
            return (o.recursive() || children(path).isEmpty()) && delete(path);
        } else if (operation instanceof Operation.MakeDirectory o) {
            String path = o.path().value();
            return isDirectory(path) || (!files.containsKey(path) && makeParents(path + "/x"));
        } else if (operation instanceof Operation.SetAttributes o) {
            String path = o.path().value();
            return exists(path)
                    && links.names(path).stream()
                            .allMatch(each ->
                                    attributes.change(each, o.change().extra().extended()));
        }
        return applySnapshot(operation);
    }

    private ByteModel snapshot(String directory) {
        ByteModel snapshot = below(directory);
        snapshot.ofRoot = attributes.of(directory);
        return snapshot;
    }

    private boolean applySnapshot(Operation operation) {
        if (operation instanceof Operation.TakeSnapshot o) {
            String directory = o.directory().value();
            return isDirectory(directory)
                    && snapshots
                                    .computeIfAbsent(directory, missing -> new TreeMap<>())
                                    .putIfAbsent(o.name(), snapshot(directory))
                            == null;
        } else if (operation instanceof Operation.RenameSnapshot o) {
            Map<String, ByteModel> named = snapshots.getOrDefault(o.directory().value(), new TreeMap<>());
            return named.containsKey(o.from())
                    && !named.containsKey(o.to())
                    && named.put(o.to(), named.remove(o.from())) == null;
        } else if (operation instanceof Operation.DropSnapshot o) {
            return snapshots
                            .getOrDefault(o.directory().value(), new TreeMap<>())
                            .remove(o.name())
                    != null;
        }
        throw new IllegalArgumentException("no model of " + operation);
    }

    private boolean splice(ByteRange source, FilePath destination, long at, boolean takeOut) {
        byte[] from = file(source.path());
        if (from == null || source.end() > from.length || !files.containsKey(destination.value())) {
            return false;
        }
        byte[] bytes = Arrays.copyOfRange(from, (int) source.offset(), (int) source.end());
        if (takeOut) {
            Arrays.fill(from, (int) source.offset(), (int) source.end(), (byte) 0);
            put(source.path(), from);
        }
        byte[] to = files.get(destination.value());
        byte[] grown = Arrays.copyOf(to, (int) Math.max(to.length, at + source.length()));
        System.arraycopy(bytes, 0, grown, (int) at, bytes.length);
        return put(destination, grown);
    }

    private boolean punch(ByteRange range) {
        byte[] bytes = files.get(range.path().value());
        if (bytes == null || range.offset() >= bytes.length) {
            return false;
        }
        if (range.end() >= bytes.length) {
            return put(range.path(), Arrays.copyOf(bytes, (int) range.offset()));
        }
        Arrays.fill(bytes, (int) range.offset(), (int) range.end(), (byte) 0);
        return put(range.path(), bytes);
    }

    private boolean cloneFile(Operation.CloneFile o) {
        String to = o.destination().value();
        byte[] bytes = file(o.source());
        boolean free = !isDirectory(to) && (o.overwrite() || !files.containsKey(to));
        Map<String, ExtendedValue> has = o.source().isPast()
                ? o.source()
                        .parent()
                        .flatMap(this::tree)
                        .map(tree -> tree.attributes.of("/" + o.source().name()))
                        .orElse(Map.of())
                : attributes.of(o.source().value());
        return bytes != null
                && !o.source().equals(o.destination())
                && free
                && isDirectory(ModelPaths.parent(to))
                && write(to, bytes)
                && attributes.change(to, ExtendedChange.putAll(has))
                && attributes.change(to, o.change().extra().extended());
    }

    private boolean cloneDirectory(FilePath source, String to) {
        Optional<ByteModel> tree = tree(source);
        if (tree.isEmpty()
                || ModelPaths.isIn(source.value(), to)
                || exists(to)
                || !isDirectory(ModelPaths.parent(to))) {
            return false;
        }
        directories.put(to, true);
        attributes.put(to, ofDirectory(source));
        attributes.putAll(to, tree.get().attributes);
        tree.get().directories.keySet().forEach(path -> directories.put(to + path, true));
        tree.get().files.forEach((path, bytes) -> files.put(to + path, bytes));
        links.addClone(to, tree.get().links);
        return true;
    }

    /** A snapshot itself has what its directory had when it was taken. */
    private Map<String, ExtendedValue> ofDirectory(FilePath source) {
        if (!source.isPast()) {
            return attributes.of(source.value());
        }
        FilePath above = source.parent().orElseThrow();
        return above.name().equals(FilePath.SNAPSHOTS)
                ? snapshots
                        .getOrDefault(above.parent().orElseThrow().value(), Map.of())
                        .getOrDefault(source.name(), new ByteModel())
                        .ofRoot
                : tree(above)
                        .map(tree -> tree.attributes.of("/" + source.name()))
                        .orElse(Map.of());
    }

    /** The bytes of a file, which may be in a snapshot; null: there is none. */
    byte @Nullable [] file(FilePath path) {
        return path.isPast()
                ? path.parent()
                        .filter(FilePath::isPast)
                        .flatMap(this::tree)
                        .map(tree -> tree.files.get("/" + path.name()))
                        .orElse(null)
                : files.get(path.value());
    }

    /** Returns the tree of a directory, perhaps in a snapshot; empty without such a directory. */
    private Optional<ByteModel> tree(FilePath source) {
        String path = source.value();
        if (!source.isPast()) {
            return isDirectory(path) && !path.equals("/") ? Optional.of(below(path)) : Optional.empty();
        }
        int at = source.snapshotsAt();
        String[] rest = path.substring(at + "/.snapshot".length()).split("/", 3);
        ByteModel snapshot = snapshots
                .getOrDefault(at == 0 ? "/" : path.substring(0, at), Map.of())
                .get(rest.length < 2 ? "" : rest[1]);
        if (snapshot == null || rest.length == 2) {
            return Optional.ofNullable(snapshot).map(each -> each.below("/"));
        }
        return snapshot.isDirectory("/" + rest[2]) ? Optional.of(snapshot.below("/" + rest[2])) : Optional.empty();
    }

    private boolean link(String file, String name) {
        if (!files.containsKey(file) || exists(name) || !isDirectory(ModelPaths.parent(name))) {
            return false;
        }
        files.put(name, files.get(file));
        attributes.put(name, attributes.of(file));
        links.join(file, name);
        hadLinks = true;
        return true;
    }

    boolean rename(String from, String to, boolean overwrite) {
        boolean file = files.containsKey(from);
        if (overwrite && file && !from.equals(to) && links.areOne(from, to)) {
            return true;
        }
        if ((!file && !directories.containsKey(from)) || from.equals(to) || to.startsWith(from + "/")) {
            return false;
        }
        boolean replaced = overwrite && file && files.containsKey(to);
        if (!isDirectory(ModelPaths.parent(to)) || (exists(to) && !replaced)) {
            return false;
        }
        attributes.move(from, to);
        links.move(from, to);
        if (file) {
            files.put(to, files.remove(from));
            return true;
        }
        ModelPaths.move(files, from, to);
        ModelPaths.move(directories, from, to);
        ModelPaths.move(snapshots, from, to);
        return true;
    }

    Set<String> children(String directory) {
        Set<String> names = new TreeSet<>();
        for (Map<String, ?> entries : List.of(files, directories)) {
            for (String path : entries.keySet()) {
                if (ModelPaths.parent(path).equals(directory)) {
                    names.add(path.substring(path.lastIndexOf('/') + 1));
                }
            }
        }
        return names;
    }

    boolean delete(String path) {
        boolean there = exists(path) && !path.equals("/");
        if (snapshots.entrySet().stream()
                .anyMatch(each ->
                        ModelPaths.isIn(path, each.getKey()) && !each.getValue().isEmpty())) {
            return false;
        }
        snapshots.keySet().removeIf(each -> ModelPaths.isIn(path, each));
        files.keySet().removeIf(each -> ModelPaths.isIn(path, each));
        directories.keySet().removeIf(each -> ModelPaths.isIn(path, each));
        attributes.remove(path);
        links.leave(path);
        return there;
    }

    private boolean put(FilePath path, byte[] bytes) {
        links.names(path.value()).forEach(name -> files.put(name, bytes));
        return true;
    }

    private boolean makeParents(String path) {
        for (int slash = path.indexOf('/', 1); slash > 0; slash = path.indexOf('/', slash + 1)) {
            String directory = path.substring(0, slash);
            if (files.containsKey(directory)) {
                return false;
            }
            directories.put(directory, true);
        }
        return true;
    }

    boolean exists(String path) {
        return files.containsKey(path) || isDirectory(path);
    }

    boolean isDirectory(String path) {
        return path.equals("/") || directories.containsKey(path);
    }
}
