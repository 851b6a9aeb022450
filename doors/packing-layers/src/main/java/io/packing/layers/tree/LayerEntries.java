// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.tree;

import io.packing.bdt.ExtendedValue;
import io.packing.blob.FilePath;
import io.packing.fuse.Mode;
import io.packing.registry.tar.TarEntry;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The resulting entries of a layer, by their paths from the root of the layer, without a slash before or behind; the
 * root is empty text. Later entries replace earlier ones, as {@code tar -x} does it. Whiteouts are as overlayfs has
 * them: a character device 0:0, or the attribute {@value #OPAQUE} of a directory. Confined to one thread.
 */
final class LayerEntries {
    static final String OPAQUE = "trusted.overlay.opaque";
    private static final ExtendedValue YES = new ExtendedValue("y".getBytes(StandardCharsets.US_ASCII));
    private static final String WHITEOUT = ".wh.";
    private static final String OPAQUE_MARK = ".wh..wh..opq";
    /** Other marks of aufs, which say nothing about the layers below. */
    private static final String MARKS = ".wh..wh.";

    /** Levels below the root: the kernel's 4,096 bytes of a path are never more than 2,048, and trees of images have some 60. */
    static final int MOST_LEVELS = 256;

    /** Bytes of a path, as the kernel has it with the NUL at its end. */
    static final int MOST_PATH = 4_096;

    private static final int MOST_NAME = FilePath.MAX_NAME_BYTES;
    /** Entries, with the directories above them that no entry describes. */
    private static final int MOST = 1_000_000;
    /** Bytes of memory for paths, extended attributes and the bytes that the tar itself has. */
    static final long MOST_HELD = 256L << 20;

    private final NavigableMap<String, LayerEntry> entries = new TreeMap<>();
    private final NavigableSet<String> opaque = new TreeSet<>();
    /** Directories that no entry describes: they keep owner, mode and time of the layers below. */
    private final NavigableSet<String> implied = new TreeSet<>(Set.of(""));
    /** Those of them that marks alone are below: they are no directories where the layers below have none. */
    private final NavigableSet<String> marked = new TreeSet<>();
    /** The entries that may have several names, as objects: an equal entry is another file. */
    private final Set<LayerEntry> linked = Collections.newSetFromMap(new IdentityHashMap<>());

    private long held;

    LayerEntries() {
        entries.put("", LayerEntry.DIRECTORY);
    }

    /** Returns the path of an entry's name. {@link LayerException} for one that leads elsewhere, or is no text. */
    static String path(byte[] name) throws LayerException {
        return path(TarEntry.text(name)
                .orElseThrow(() ->
                        new LayerException("an entry '%s': a name is UTF-8 text".formatted(TarEntry.shown(name)))));
    }

    static String path(String name) throws LayerException {
        if (name.length() > MOST_PATH) {
            throw LayerException.overLimit("an entry '%.200s…' with a name of %,d characters, at most %,d"
                    .formatted(name, name.length(), MOST_PATH));
        }
        List<String> kept = new ArrayList<>();
        for (String component : name.split("/", -1)) {
            if (component.equals("..") || component.indexOf('\0') >= 0) {
                throw new LayerException("an entry '%.200s': a name does not lead out of the layer".formatted(name));
            }
            if (component.length() > MOST_NAME / 3 && component.getBytes(StandardCharsets.UTF_8).length > MOST_NAME) {
                throw new LayerException(
                        "an entry '%.200s…': Linux has names of at most %d bytes".formatted(name, MOST_NAME));
            }
            if (component.equals(".snapshot")) {
                throw new LayerException("an entry '%.200s': no file of a mount is called .snapshot".formatted(name));
            }
            if (!component.isEmpty() && !component.equals(".")) {
                kept.add(component);
            }
        }
        if (kept.size() > MOST_LEVELS) {
            throw LayerException.overLimit(
                    "an entry '%.200s…' of %,d levels, at most %,d".formatted(name, kept.size(), MOST_LEVELS));
        }
        return String.join("/", kept);
    }

    static String parent(String path) {
        return path.substring(0, Math.max(0, path.lastIndexOf('/')));
    }

    private static String name(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /** Counts the memory of an entry, also of one that is replaced later: that is cheap to write, too. */
    private void hold(String path, LayerEntry entry) throws LayerException {
        held += 2L * path.length() + entry.heldBytes();
        if (held > MOST_HELD) {
            throw LayerException.overLimit(
                    "names, attributes and short files of more than %,d bytes".formatted(MOST_HELD));
        }
    }

    private void putNew(String path, LayerEntry entry) throws LayerException {
        hold(path, entry);
        entries.put(path, entry);
        if (entries.size() > MOST) {
            throw LayerException.overLimit("more than %,d entries".formatted(MOST));
        }
    }

    /** Returns whether the name of a path is that of a whiteout, or of another mark of aufs. */
    static boolean isMark(String path) {
        return name(path).startsWith(WHITEOUT);
    }

    /** Takes an entry that the tar has. */
    void add(String path, LayerEntry entry) throws LayerException {
        String name = name(path);
        if (!name.startsWith(WHITEOUT)) {
            put(path, entry);
        } else if (name.equals(OPAQUE_MARK)) {
            if (!isHidden(path)) {
                makeParents(path, true);
                opaque.add(parent(path));
            }
        } else if (!name.startsWith(MARKS)) {
            whiteout(parent(path), name.substring(WHITEOUT.length()));
        }
    }

    /** Returns whether a whiteout of a directory above hides a path of the layers below already. */
    private boolean isHidden(String path) {
        for (String at = path; !at.isEmpty(); at = parent(at)) {
            if (LayerEntry.WHITEOUT.equals(entries.get(at))) {
                return true;
            }
        }
        return false;
    }

    private void whiteout(String directory, String name) throws LayerException {
        if (path(name).isEmpty()) {
            throw new LayerException("a whiteout of nothing in '%.200s'".formatted(directory));
        }
        String path = directory.isEmpty() ? name : directory + "/" + name;
        LayerEntry here = entries.get(path);
        if (here == null || marked.contains(path)) {
            if (!isHidden(path)) {
                remove(path);
                makeParents(path, true);
                putNew(path, LayerEntry.WHITEOUT);
            }
        } else if (here.isDirectory()) {
            // It hides the entries of the layers below there, not those of this one.
            opaque.add(path);
        }
    }

    private void put(String path, LayerEntry entry) throws LayerException {
        LayerEntry before = entries.get(path);
        if (before != null && !entry.isDirectory()) {
            if (path.isEmpty()) {
                throw new LayerException("the root of the layer is no directory");
            }
            remove(path);
        } else if (before != null && before.equals(LayerEntry.WHITEOUT)) {
            opaque.add(path);
        }
        makeParents(path, false);
        implied.remove(path);
        marked.remove(path);
        putNew(path, entry);
    }

    private void remove(String path) {
        // '0' follows '/'.
        entries.subMap(path + "/", path + "0").clear();
        for (NavigableSet<String> each : List.of(opaque, implied, marked)) {
            each.remove(path);
            each.subSet(path + "/", path + "0").clear();
        }
    }

    /** @param forMark whether a mark is to be there, and no entry */
    private void makeParents(String path, boolean forMark) throws LayerException {
        for (String at = parent(path); ; at = parent(at)) {
            LayerEntry there = entries.get(at);
            if (there == null) {
                putNew(at, LayerEntry.DIRECTORY);
                implied.add(at);
                if (forMark) {
                    marked.add(at);
                }
            } else if (there.isDirectory()) {
                if (forMark || !marked.remove(at)) {
                    return;
                }
            } else if (there.equals(LayerEntry.WHITEOUT)) {
                entries.put(at, LayerEntry.DIRECTORY);
                opaque.add(at);
            } else {
                throw new LayerException(
                        "an entry '%.200s' is below '%.200s', which is no directory in this layer".formatted(path, at));
            }
        }
    }

    /** Takes another name of a file that is there already: both have one entry, as one object. */
    void link(String path, String target) throws LayerException {
        LayerEntry of = entries.get(target);
        if (target.equals(path) || target.startsWith(path + "/")) {
            throw new LayerException("'%.200s' is a link to %s, which it replaces"
                    .formatted(path, target.equals(path) ? "itself" : target));
        }
        if (of == null || of.isDirectory() || of.equals(LayerEntry.WHITEOUT)) {
            throw new LayerException(
                    "'%.200s' is a link to '%.200s', which is no file of this layer".formatted(path, target));
        }
        linked.add(of);
        add(path, of);
    }

    /** Returns whether an entry may have several names. */
    boolean isLinked(LayerEntry entry) {
        return linked.contains(entry);
    }

    /** Returns all entries, each after the directory that it is in. */
    Map<String, LayerEntry> all() {
        return entries;
    }

    /** Returns the extended attributes of all paths that have some. */
    Map<String, Map<String, ExtendedValue>> extended() {
        Map<String, Map<String, ExtendedValue>> all = new TreeMap<>();
        entries.forEach((path, entry) -> {
            Map<String, ExtendedValue> has = new HashMap<>(entry.extended());
            if (opaque.contains(path)) {
                has.put(OPAQUE, YES);
            }
            if (implied.contains(path)) {
                has.put(ExtendedAttributes.IMPLIED, marked.contains(path) ? ExtendedAttributes.BY_MARKS : YES);
            }
            if (!has.isEmpty()) {
                all.put(path, has);
            }
        });
        return all;
    }

    /** Returns the number of entries of a type of {@link Mode}. */
    long count(int type) {
        return entries.values().stream().filter(entry -> entry.type() == type).count();
    }
}
