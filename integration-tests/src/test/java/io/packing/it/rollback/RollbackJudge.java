// SPDX-License-Identifier: Apache-2.0
package io.packing.it.rollback;

import io.packing.bdt.FileStatus;
import io.packing.operations.fsck.Damage;
import io.packing.operations.fsck.DamageKind;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** A comparison of a mount with the acknowledged changes, within the losses that each rollback may have. */
final class RollbackJudge {
    /**
     * The allowed differences.
     *
     * @param lostFrom first write whose files may be lost; the mount must report each of them
     * @param tail whether changes of the namespace may be undone that the store's journals lack
     * @param forgotten whether such files may be forgotten, too, since neither table nor worker knows them any more
     * @param unread whether the table was recovered without an object: fsck names each file that may be older, and the object
     * @param broken whether the store lacks bytes that a sound table needs: fsck names each file that readers cannot read
     */
    record Allowed(int lostFrom, boolean tail, boolean forgotten, boolean unread, boolean broken) {
        static final Allowed NOTHING = new Allowed(Integer.MAX_VALUE, false, false, false, false);

        Allowed losing(int from) {
            return new Allowed(Math.min(lostFrom, from), tail, forgotten, unread, broken);
        }

        Allowed undoing() {
            return new Allowed(lostFrom, true, forgotten, unread, broken);
        }

        Allowed forgetting() {
            return new Allowed(lostFrom, tail, true, unread, broken);
        }

        Allowed unreading() {
            return new Allowed(lostFrom, tail, forgotten, true, broken);
        }

        Allowed breaking() {
            return new Allowed(lostFrom, tail, forgotten, unread, true);
        }

        /** Returns whether the store is not as it was. */
        boolean isDamaged() {
            return unread || broken;
        }
    }

    private static final Set<DamageKind> NAMES_A_FILE = EnumSet.of(
            DamageKind.LOST, DamageKind.MISSING, DamageKind.SHORT, DamageKind.CHECKSUM, DamageKind.UNREACHABLE);

    /** Kinds of findings that name a file which is there, and which may differ from what clients wrote. */
    private static final Set<DamageKind> NAMES_A_DIFFERENCE = EnumSet.of(DamageKind.OLDER, DamageKind.LOST);

    private final RollbackHistory history;
    private final Allowed allowed;
    private final FoundTree found;
    private final List<Damage> damage;
    private final Optional<String> problem;
    private final List<String> finds = new ArrayList<>();
    private int differences;

    /**
     * Makes a comparison.
     *
     * @param damage findings of fsck
     * @param problem of the mount
     */
    RollbackJudge(
            RollbackHistory history, Allowed allowed, FoundTree found, List<Damage> damage, Optional<String> problem) {
        this.history = history;
        this.allowed = allowed;
        this.found = found;
        this.damage = damage;
        this.problem = problem;
    }

    /** Returns the forbidden differences. */
    List<String> finds() {
        Map<String, Optional<ModelFile>> wanted = history.model().entries();
        Set<String> paths = new TreeSet<>(wanted.keySet());
        paths.addAll(found.entries().keySet());
        for (String path : paths) {
            Optional<String> find =
                    compare(path, wanted.containsKey(path), wanted.getOrDefault(path, Optional.empty()));
            find.ifPresent(each -> finds.add(path + ": " + each));
        }
        if (isToldAsUnread() && problem.isEmpty()) {
            finds.add("fsck tells of an object that was not read, and health does not");
        }
        if (!allowed.unread()) {
            problem.ifPresent(each -> finds.add("the mount says: " + each));
        }
        if (differences == 0 && finds.isEmpty()) {
            links();
            quotas();
        }
        return finds;
    }

    /** Returns the number of paths that differ from the acknowledged changes. */
    int differences() {
        return differences;
    }

    private Optional<String> compare(String path, boolean isWanted, Optional<ModelFile> file) {
        FoundTree.Entry entry = found.entries().get(path);
        if (entry == null) {
            return differs(
                    path, file, "is not there, want %s".formatted(file.isPresent() ? file.get() : "a directory"));
        }
        Optional<byte[]> bytes = entry.bytes();
        if (bytes.isPresent()) {
            String print = RollbackHistory.print(bytes.get());
            if (file.isPresent() && print.equals(history.print(file.get()))) {
                return Optional.empty();
            }
            if (!isWanted && history.isBeside(path, print)) {
                return differing();
            }
            boolean hadThem = history.everAt(path).contains(print)
                    || (history.isKnown(print)
                            && (allowed.unread() || isTouched(path) || path.contains(".recovered-")));
            return hadThem
                    ? differs(path, file, "is older: %s, want %s".formatted(entry, file))
                    : Optional.of("WRONG BYTES: %s, want %s".formatted(entry, file));
        }
        if (entry.isDirectory()) {
            return isWanted && file.isEmpty() ? Optional.empty() : differs(path, file, "is a directory, want " + file);
        }
        if (!isNamed(path)) {
            return Optional.of("cannot be read, and fsck does not name it: %s, want %s".formatted(entry, file));
        }
        return mayBeLost(file) || allowed.isDamaged() || isTouched(path)
                ? differing()
                : Optional.of("is lost: %s, want %s".formatted(entry, file));
    }

    private Optional<String> differing() {
        differences++;
        return Optional.empty();
    }

    /** Judges a path that shows an older state, or is absent. */
    private Optional<String> differs(String path, Optional<ModelFile> file, String how) {
        boolean may = isTouched(path)
                || isToldAsDiffering(path)
                || (allowed.tail() && path.contains(".recovered-"))
                || (allowed.forgotten() && (mayBeLost(file) || mayGoWithFiles(path)));
        return may ? differing() : Optional.of(how);
    }

    /**
     * Returns whether fsck reports a difference that an unread object may have made. It names a present file by its path. Names of absent
     * files and of directories are in the unread object, so it names the object.
     */
    private boolean isToldAsDiffering(String path) {
        FoundTree.Entry entry = found.entries().get(path);
        return allowed.unread()
                && isToldAsUnread()
                && (entry == null || entry.isDirectory() || isTold(path, NAMES_A_DIFFERENCE));
    }

    private boolean isToldAsUnread() {
        return damage.stream().anyMatch(each -> each.kind() == DamageKind.UNREAD);
    }

    /** Returns whether a directory may have come with a file that is forgotten. */
    private boolean mayGoWithFiles(String path) {
        return history.model().directories().contains(path)
                && history.model().files().entrySet().stream()
                        .filter(each -> TreeModel.isIn(path, each.getKey()))
                        .allMatch(each -> mayBeLost(Optional.of(each.getValue())));
    }

    private boolean isTouched(String path) {
        return allowed.tail() && history.isTouched(path);
    }

    private boolean mayBeLost(Optional<ModelFile> file) {
        return file.isPresent() && file.get().hasWriteFrom(allowed.lostFrom());
    }

    private boolean isNamed(String path) {
        return isTold(path, NAMES_A_FILE);
    }

    private boolean isTold(String path, Set<DamageKind> as) {
        return damage.stream().anyMatch(each -> each.path().equals(path) && as.contains(each.kind()));
    }

    private void links() {
        for (ModelFile file : history.model().files().values()) {
            Set<String> keys = new HashSet<>();
            Set<String> names = history.model().names(file);
            for (String name : names) {
                FoundTree.Entry entry = Objects.requireNonNull(found.entries().get(name));
                FileStatus status = entry.status();
                keys.add(names.size() > 1 ? entry.fileKey() : "");
                if (status.extras().links() < names.size()) {
                    finds.add("%s counts %d names, want %s"
                            .formatted(name, status.extras().links(), names));
                }
            }
            if (keys.size() != 1) {
                finds.add("the names %s lead to several files: %s".formatted(names, keys));
            }
        }
    }

    private void quotas() {
        // An unread journal may have had changes of quotas.
        if ((allowed.tail() && history.areQuotasTouched()) || (allowed.unread() && isToldAsUnread())) {
            return;
        }
        if (!found.quotas().equals(history.model().quotas())) {
            finds.add("quotas of %s, want %s"
                    .formatted(found.quotas(), history.model().quotas()));
            return;
        }
        for (String directory : found.quotas()) {
            long names = found.quotaOf(directory).orElseThrow().names();
            if (names != history.model().names(directory)) {
                finds.add("the quota of %s counts %d names, want %d"
                        .formatted(directory, names, history.model().names(directory)));
            }
        }
    }
}
