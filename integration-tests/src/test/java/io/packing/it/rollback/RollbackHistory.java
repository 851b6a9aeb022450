// SPDX-License-Identifier: Apache-2.0
package io.packing.it.rollback;

import com.google.common.hash.Hashing;
import io.packing.blob.FilePath;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
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
    /** Requests of which no answer came. */
    private final List<RequestsUnderWay.Request> unanswered = new ArrayList<>();
    /** Bytes that such requests wrote since the last comparison, as prints by path. */
    private final Map<String, Set<String>> unansweredWrites = new HashMap<>();

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

    /** Returns a file that a client is about to write. */
    ModelFile toWrite(byte[] bytes) {
        return model.newFile(bytes, nextWrite());
    }

    /** Notes a request whose answer has not come; its paths may be as before or as after it. */
    void sent(RequestsUnderWay.Request request) {
        unanswered.add(request);
        request.after().forEach((path, file) -> {
            touched.add(path);
            file.ifPresent(each -> {
                known(path, each);
                unansweredWrites.computeIfAbsent(path, first -> new HashSet<>()).add(print(each));
            });
        });
    }

    /** Notes that a request has been done. */
    void done(RequestsUnderWay.Request request) {
        unanswered.remove(request);
        request.after()
                .forEach((path, file) -> file.ifPresent(each ->
                        unansweredWrites.getOrDefault(path, new HashSet<>()).remove(print(each))));
        model.put(request.after());
        changed();
    }

    /** Returns the requests that may have been done or not. */
    List<RequestsUnderWay.Request> unanswered() {
        return List.copyOf(unanswered);
    }

    /** Returns whether a file beside a path has what a request without an answer wrote: its worker has it, and the table had no room for it. */
    boolean isBeside(String path, String print) {
        int end = path.lastIndexOf(".recovered-");
        return end > 0
                && unansweredWrites
                        .getOrDefault(path.substring(0, end), Set.of())
                        .contains(print);
    }

    /** Notes that requests which were not seen to be done have not been done. */
    void forgetUnanswered() {
        unanswered.clear();
    }

    private void known(String path, ModelFile file) {
        String print = print(file);
        everAt.computeIfAbsent(path, first -> new HashSet<>()).add(print);
        writesOf.computeIfAbsent(print, first -> new TreeSet<>()).addAll(file.writes());
    }

    /** Records each path's bytes after a change. */
    void changed() {
        model.entries().forEach((path, file) -> file.ifPresent(each -> known(path, each)));
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
    void goBack(TreeModel to, int toStoredBefore, List<RequestsUnderWay.Request> toUnanswered) {
        model = to;
        unanswered.clear();
        unanswered.addAll(toUnanswered);
        storedBefore = toStoredBefore;
    }

    /** Accepts the mount's tree as right. */
    void adopt(FoundTree found) {
        Map<String, Optional<ModelFile>> entries = new HashMap<>();
        Map<String, Integer> numbers = new HashMap<>();
        Map<String, Optional<ModelFile>> before = model.entries();
        found.entries()
                .forEach((path, each) -> entries.put(path, each.bytes().map(bytes -> {
                    int number = numbers.computeIfAbsent(
                            fileKey(each, before.getOrDefault(path, Optional.empty())), first -> numbers.size() + 1);
                    return new ModelFile(number, bytes, writesOf.getOrDefault(print(bytes), Set.of()));
                })));
        model.adopt(entries, found.quotas());
        // Workers have named them, and the master has decided: it brings none of them later.
        unansweredWrites.clear();
        prints.clear();
        changed();
    }

    /**
     * Returns a text that names of one file have in common. A snapshot shows a file and an unchanged clone of it alike: there the model knows better.
     */
    private String fileKey(FoundTree.Entry entry, Optional<ModelFile> before) {
        FilePath path = entry.status().path();
        if (!path.isPast()) {
            return entry.fileKey();
        }
        boolean isAsBefore = entry.bytes()
                .flatMap(bytes -> before.filter(file -> print(file).equals(print(bytes))))
                .isPresent();
        return "%s %s"
                .formatted(
                        TreeModel.snapshotOf(path.value()),
                        isAsBefore ? before.orElseThrow().number() : entry.fileKey());
    }
}
