// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.fsck;

import io.packing.bdt.Bdt;
import io.packing.bdt.ScanPage;
import io.packing.bdt.ScanPart;
import io.packing.bdt.ScannedBlob;
import io.packing.blob.BlobName;
import io.packing.operations.walk.ScanPages;
import io.packing.store.ObjectInfo;
import io.packing.store.ObjectStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The blobs of a table beside the objects of its store. Some 300 bytes of memory a blob. A blob that comes or goes meanwhile is
 * asked for again before anything is said of it.
 */
final class BlobStates {
    private static final int PAGE = 1_000;

    private final Bdt bdt;
    private final ObjectStore store;
    private final DamageLog damage;
    private final Consumer<ScanPage> pages;
    private final Map<Long, BlobState> byNumber = new HashMap<>();
    private final Map<BlobName, BlobState> byName = new HashMap<>();
    private final Set<Long> nowhere = new HashSet<>();

    /** @param pages takes those of the table's blobs, which have problems, too */
    BlobStates(Bdt bdt, ObjectStore store, DamageLog damage, Consumer<ScanPage> pages) {
        this.pages = pages;
        this.bdt = bdt;
        this.store = store;
        this.damage = damage;
    }

    /** Reads the table's blobs and the store's objects. */
    void read() throws IOException {
        ScanPages.visit(bdt, ScanPart.BLOBS, page -> {
            page.blobs().forEach(this::add);
            pages.accept(page);
        });
    }

    private void add(ScannedBlob row) {
        if (!byNumber.containsKey(row.number())) {
            BlobState state = new BlobState(row);
            byNumber.put(row.number(), state);
            byName.put(row.name(), state);
        }
    }

    /** An object that is named as a blob. */
    record Unknown(BlobName name, long length) {
        String key() {
            return BlobName.FOLDER + name.key();
        }
    }

    /** Lists the store, and returns what is there and that the table does not know. */
    List<Unknown> list() throws IOException {
        List<Unknown> unknown = new ArrayList<>();
        String after = "";
        for (List<ObjectInfo> page = page(after); !page.isEmpty(); page = page(after)) {
            for (ObjectInfo object : page) {
                Optional<BlobName> name = name(object.key());
                if (name.isEmpty()) {
                    damage.add(new Damage("", DamageKind.FOREIGN, object.key(), "no blob has such a name"));
                    continue;
                }
                BlobState state = byName.get(name.get());
                if (state != null) {
                    state.found(object.length());
                } else {
                    unknown.add(new Unknown(name.get(), object.length()));
                }
            }
            after = page.get(page.size() - 1).key();
        }
        headTheMissing();
        if (!unknown.isEmpty()) {
            // A blob may have been committed after the table was read.
            refresh();
        }
        return unknown.stream().filter(each -> !byName.containsKey(each.name())).toList();
    }

    private List<ObjectInfo> page(String after) throws IOException {
        return store.list(BlobName.FOLDER, after, PAGE);
    }

    private static Optional<BlobName> name(String key) {
        try {
            String below = key.substring(BlobName.FOLDER.length());
            BlobName name = BlobName.parse(below);
            // The name alone is no key.
            return name.key().equals(below) ? Optional.of(name) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** A blob may have been pushed after its place was listed. */
    private void headTheMissing() throws IOException {
        for (BlobState state : byNumber.values()) {
            if (state.isMissing()) {
                store.head(state.key()).ifPresent(object -> state.found(object.length()));
            }
        }
    }

    /** Learns of blobs that have come since. */
    private void refresh() throws IOException {
        List<ScannedBlob> fresh = new ArrayList<>();
        ScanPages.visit(
                bdt,
                ScanPart.BLOBS,
                page -> page.blobs().stream()
                        .filter(row -> !byNumber.containsKey(row.number()))
                        .forEach(fresh::add));
        for (ScannedBlob row : fresh) {
            add(row);
            BlobState state = byNumber.get(row.number());
            if (state != null) {
                store.head(state.key()).ifPresent(object -> state.found(object.length()));
            }
        }
    }

    /** A blob that an extent names; empty: the table does not have it. */
    Optional<BlobState> blob(long number) throws IOException {
        BlobState state = byNumber.get(number);
        if (state == null && !nowhere.contains(number)) {
            refresh();
            state = byNumber.get(number);
            if (state == null) {
                nowhere.add(number);
            }
        }
        return Optional.ofNullable(state);
    }

    /** A blob that was asked for before. */
    Optional<BlobState> known(long number) {
        return Optional.ofNullable(byNumber.get(number));
    }

    Collection<BlobState> all() {
        return byNumber.values();
    }
}
