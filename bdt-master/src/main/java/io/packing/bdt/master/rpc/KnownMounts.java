// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.rpc;

import io.packing.bdt.DeniedException;
import io.packing.bdt.master.texts.MasterTexts;
import io.packing.options.Option;
import io.packing.options.Options;
import io.packing.store.StoreOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The mounts that a master, or its group, has opened for callers who may make mounts: their names, and the options by which a
 * client reaches their stores. So a client that names a mount need not know its store. Credentials are not in it. Thread-safe.
 */
public final class KnownMounts {
    /** The options that lead to a store; no other option is kept. */
    static final List<String> KEYS =
            StoreOptions.OF_PLACE.stream().<String>map(Option::key).toList();

    private static final Logger LOG = LoggerFactory.getLogger(KnownMounts.class);
    private static final String TEXT = "stores";
    private static final String ID = "mount";
    private static final String NAME = "name";
    /** Begins an option of the place that a mount was evacuated to. */
    private static final String AT = "at";
    /** Begins an address that a mount has or had. */
    private static final String ALIAS = "alias";

    private static final Pattern NAMES = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,62}");

    private final MasterTexts texts;
    private final boolean spread;

    /**
     * @param texts that keep the mounts
     * @param spread whether several groups of masters have mounts: an id is the only name that all of them understand
     */
    public KnownMounts(MasterTexts texts, boolean spread) {
        this.texts = texts;
        this.spread = spread;
    }

    /**
     * A mount; without a name, users call it by its id.
     *
     * @param store by which clients name it
     * @param at where its blobs are, if it was evacuated; otherwise empty
     * @param aliases addresses by which it may be named
     */
    private record Known(
            String id, String name, Map<String, String> store, Map<String, String> at, List<String> aliases) {
        boolean isCalled(String text) {
            return id.equals(text) || (!name.isEmpty() && name.equals(text));
        }

        String called() {
            return name.isEmpty() ? id : name;
        }
    }

    /**
     * A mount that was evacuated.
     *
     * @param place options that lead to its present store
     */
    public record Evacuated(String id, Map<String, String> place) {}

    /**
     * Returns the mount that has, or had, its blobs at an address, if it was evacuated.
     *
     * @param id of the mount that is made or was opened at this address
     */
    public Optional<Evacuated> evacuated(String id, String address) throws IOException {
        return all().stream()
                .filter(each -> !each.at().isEmpty()
                        && (each.id().equals(id) || each.aliases().contains(address)))
                .findFirst()
                .map(each -> new Evacuated(each.id(), each.at()));
    }

    /** Returns whether a mount was noted. */
    public boolean knows(String id) throws IOException {
        return all().stream().anyMatch(each -> each.id().equals(id));
    }

    /**
     * Notes the place that a mount was evacuated to.
     *
     * @param before options by which clients name it, if it was not noted
     * @param aliases all addresses that it has or had
     */
    public synchronized void evacuated(
            String id, Map<String, String> before, Map<String, String> place, List<String> aliases) throws IOException {
        long version = texts.version();
        Map<String, Known> all = new TreeMap<>();
        all().forEach(each -> all.put(each.id(), each));
        Known known = all.getOrDefault(id, new Known(id, "", ofStore(before), Map.of(), List.of()));
        Known next = new Known(id, known.name(), known.store(), ofStore(place), List.copyOf(aliases));
        if (!next.equals(all.put(id, next))) {
            texts.write(TEXT, encode(List.copyOf(all.values())), version);
        }
    }

    /** Returns the options that lead to a store. */
    static Map<String, String> ofStore(Map<String, String> options) {
        Map<String, String> store = new LinkedHashMap<>();
        for (String key : KEYS) {
            String value = options.getOrDefault(key, "").strip();
            if (!value.isEmpty()) {
                store.put(key, value);
            }
        }
        return store;
    }

    /**
     * Returns a call with the store of the mount that it names; a call that names its store stays as it is.
     *
     * @param withheld whether the caller may not learn the places of stores
     * @throws DeniedException when the caller may not
     * @throws IllegalArgumentException when no mount is meant, or one of several
     */
    OpenCall completed(OpenCall call, boolean withheld) throws IOException {
        if (call.namesStore() || call.create()) {
            return call;
        }
        if (withheld) {
            throw new DeniedException(
                    "Permission denied: this master tells only workers and operators where the store of a mount is"
                            + " (bdt.places=daemons): name it in packing.store");
        }
        return call.at(find(call).store());
    }

    private Known find(OpenCall call) throws IOException {
        List<Known> all = all();
        String name = call.mount();
        if (!name.isEmpty()) {
            return all.stream()
                    .filter(each -> spread ? each.id().equals(name) : each.isCalled(name))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("this BDT master knows no mount '%s'%s"
                            .formatted(name, call.mayMake() ? "; it knows " + called(all) : "")));
        }
        if (all.isEmpty()) {
            throw new IllegalArgumentException(
                    "this BDT master has no mount yet. A worker that runs opens its mount within a minute. To make one: packing mounts"
                            + " create packing://HOST:PORT/ --store s3://BUCKET/PREFIX");
        }
        if (all.size() > 1 || spread) {
            // Names of mounts are for those who may make them.
            throw new IllegalArgumentException(
                    "this BDT master has several mounts: say which, as packing://MOUNT@HOST:PORT/PATH%s"
                            .formatted(call.mayMake() ? "; it knows " + called(all) : ""));
        }
        return all.get(0);
    }

    private static String called(List<Known> all) {
        return all.isEmpty()
                ? "none"
                : String.join(", ", all.stream().map(Known::called).toList());
    }

    /**
     * Refuses a name for a new mount that is no name, or another mount's.
     *
     * @throws IllegalArgumentException saying which
     */
    public void checkName(String id, OpenCall call) throws IOException {
        String name = call.create() ? call.mount() : "";
        if (name.isEmpty()) {
            return;
        }
        if (spread) {
            throw new IllegalArgumentException(
                    "mounts of several groups of masters have no names but their ids: make it without '%s@'"
                            .formatted(name));
        }
        if (!NAMES.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "'%s' is no name of a mount: letters, digits, - and _, at most 63".formatted(name));
        }
        if (all().stream().anyMatch(each -> each.isCalled(name) && !each.id().equals(id))) {
            throw new IllegalArgumentException("another mount of this BDT master is called '%s'".formatted(name));
        }
    }

    /**
     * Notes where the store of a mount is, if the caller may make mounts. A mount that cannot be noted now is noted by a later call.
     *
     * @param replace whether the caller's place goes before one that was noted
     */
    public void note(String id, OpenCall call, boolean replace) {
        if (!call.mayMake()) {
            return;
        }
        try {
            put(id, call, replace);
        } catch (IOException e) {
            LOG.warn("the place of mount {} is not noted now: {}", id, e.toString());
        }
    }

    private synchronized void put(String id, OpenCall call, boolean replace) throws IOException {
        long before = texts.version();
        Map<String, Known> all = new TreeMap<>();
        all().forEach(each -> all.put(each.id(), each));
        Optional<Known> known = Optional.ofNullable(all.get(id));
        if (known.isPresent() && !replace) {
            return;
        }
        String name = call.create() ? call.mount() : known.map(Known::name).orElse("");
        Known next = known.filter(each -> !each.at().isEmpty())
                .map(each -> new Known(id, name, each.store(), each.at(), each.aliases()))
                .orElseGet(() -> new Known(id, name, ofStore(call.options()), Map.of(), List.of()));
        if (!known.equals(Optional.of(next)) && isReadAgain(next.store())) {
            all.put(id, next);
            texts.write(TEXT, encode(List.copyOf(all.values())), before);
        }
    }

    /** Returns whether {@link #decode} takes these options: values of several lines, and places that no client reaches, are not noted. */
    private static boolean isReadAgain(Map<String, String> store) {
        try {
            check(store);
        } catch (IllegalArgumentException e) {
            return false;
        }
        return store.values().stream().noneMatch(value -> value.indexOf('\n') >= 0 || value.indexOf('\r') >= 0);
    }

    private static void check(Map<String, String> store) {
        Options unused = Options.check(store, "packing.", StoreOptions.OPTIONS);
    }

    private List<Known> all() throws IOException {
        Optional<String> text = texts.read(TEXT);
        try {
            return text.isEmpty() ? List.of() : decode(text.get());
        } catch (IllegalArgumentException e) {
            throw new IOException(
                    "%s is damaged; remove it, and workers tell the places of their mounts again"
                            .formatted(texts.where(TEXT)),
                    e);
        }
    }

    /** A line {@code mount ID} begins a mount; {@code name NAME} and lines {@code KEY VALUE} follow. */
    private static String encode(List<Known> all) {
        StringBuilder text = new StringBuilder();
        for (Known each : all) {
            text.append(ID).append(' ').append(each.id()).append('\n');
            text.append(NAME).append(' ').append(each.name()).append('\n');
            each.store()
                    .forEach((key, value) ->
                            text.append(key).append(' ').append(value).append('\n'));
            each.at()
                    .forEach((key, value) -> text.append(AT)
                            .append(' ')
                            .append(key)
                            .append(' ')
                            .append(value)
                            .append('\n'));
            each.aliases()
                    .forEach(alias ->
                            text.append(ALIAS).append(' ').append(alias).append('\n'));
        }
        return text.toString();
    }

    private static List<Known> decode(String text) {
        List<Known> all = new ArrayList<>();
        for (String line : text.lines().toList()) {
            String[] words = line.split(" ", 2);
            String value = words.length == 2 ? words[1] : "";
            if (words[0].equals(ID)) {
                all.add(new Known(value, "", new LinkedHashMap<>(), new LinkedHashMap<>(), new ArrayList<>()));
                continue;
            }
            if (all.isEmpty()) {
                throw new IllegalArgumentException("no mount before '%s'".formatted(line));
            }
            Known last = all.get(all.size() - 1);
            if (words[0].equals(NAME)) {
                all.set(all.size() - 1, new Known(last.id(), value, last.store(), last.at(), last.aliases()));
            } else if (words[0].equals(ALIAS)) {
                last.aliases().add(value);
            } else if (words[0].equals(AT)) {
                String[] option = value.split(" ", 2);
                last.at().put(option[0], option.length == 2 ? option[1] : "");
            } else if (KEYS.contains(words[0])) {
                last.store().put(words[0], value);
            }
        }
        for (Known each : all) {
            // A damaged value must not lead the master to another store.
            check(each.store());
            if (!each.at().isEmpty()) {
                check(each.at());
            }
        }
        return all;
    }
}
