package io.packing.it.rollback;

import com.google.common.hash.Hashing;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A record of acknowledged changes: the current tree, all bytes that each path ever had, and the changes that the store
 * may lack.
 */
final class RollbackHistory {
    private TreeModel model = new TreeModel();
    private int writes;
    /** The number of the first write that the store may lack. */
    private int storedBefore = 1;
    /** The trees with a change that the store may lack. */
    private final Set<String> touched = new TreeSet<>();
    /** The directories that came with a file, and that the store's journals may lack. */
    private final Set<String> made = new TreeSet<>();

    private boolean quotasTouched;

    private final IdentityHashMap<ModelFile, String> prints = new IdentityHashMap<>();
    private final Map<String, Set<String>> everAt = new HashMap<>();
    private final Map<String, Set<Integer>> writesOf = new HashMap<>();

    TreeModel model() {
        return model;
    }

    /** Returns the number of the next write of a client. */
    int nextWrite() {
        return ++writes;
    }

    int writes() {
        return writes;
    }

    int storedBefore() {
        return storedBefore;
    }

    Set<String> everAt(String path) {
        return everAt.getOrDefault(path, Set.of());
    }

    boolean isKnown(String print) {
        return writesOf.containsKey(print);
    }

    static String print(byte[] bytes) {
        return bytes.length + ":" + Hashing.sha256().hashBytes(bytes);
    }

    String print(ModelFile file) {
        return prints.computeIfAbsent(file, each -> print(each.bytes()));
    }

    /** Records each path's bytes after a change. */
    void changed() {
        model.entries()
                .forEach((path, file) -> file.ifPresent(each -> {
                    String print = print(each);
                    everAt.computeIfAbsent(path, first -> new HashSet<>()).add(print);
                    writesOf.computeIfAbsent(print, first -> new TreeSet<>()).addAll(each.writes());
                }));
    }

    /** Notes a change of a tree that only the journal has. */
    void touched(String tree) {
        touched.add(tree);
    }

    void touchedQuota() {
        quotasTouched = true;
    }

    /** Notes the parents of a written file, which may be new. */
    void written(String path) {
        for (String at = TreeModel.parent(path); !at.equals("/"); at = TreeModel.parent(at)) {
            made.add(at);
        }
    }

    boolean isTouched(String path) {
        return made.contains(path) || touched.stream().anyMatch(each -> TreeModel.isIn(each, path));
    }

    boolean areQuotasTouched() {
        return quotasTouched;
    }

    /** Notes that the store has all changes of the namespace. */
    void checkpointed() {
        touched.clear();
        made.clear();
        quotasTouched = false;
    }

    /** Notes that the store has all bytes. */
    void flushed() {
        storedBefore = writes + 1;
    }

    /** Goes back to an earlier state, with all directories and the store. */
    void goBack(TreeModel to, int toStoredBefore) {
        model = to;
        storedBefore = toStoredBefore;
    }

    /** Accepts the mount's tree as right. */
    void adopt(FoundTree found) {
        Map<String, Optional<ModelFile>> entries = new HashMap<>();
        Map<String, Integer> numbers = new HashMap<>();
        found.entries()
                .forEach((path, each) -> entries.put(path, each.bytes().map(bytes -> {
                    int number = numbers.computeIfAbsent(each.fileKey(), first -> numbers.size() + 1);
                    return new ModelFile(number, bytes, writesOf.getOrDefault(print(bytes), Set.of()));
                })));
        model.adopt(entries, found.quotas());
        prints.clear();
        changed();
    }
}
