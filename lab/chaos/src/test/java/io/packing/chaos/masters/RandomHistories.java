// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.masters;

import io.packing.linear.Timed;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;

/** A generator of clients' histories of one directory, possible ones and damaged ones. */
final class RandomHistories {
    private static final List<String> NAMES = List.of("a", "b", "c");

    private final Random random;
    private final int openOfAHundred;

    RandomHistories(Random random, int openOfAHundred) {
        this.random = random;
        this.openOfAHundred = openOfAHundred;
    }

    /** An operation without its outcome yet; it happens at its moment. */
    private record Planned(long call, long moment, long end, boolean open, boolean happens) {}

    /** Makes a possible history: every operation happens at a moment between its call and its end. */
    List<Timed<ClientOperation>> linearizable(int clients, int operations) {
        List<Planned> all = new ArrayList<>();
        long[] now = new long[clients];
        for (int i = 0; i < operations; i++) {
            int client = i % clients;
            long call = now[client] + 1 + random.nextInt(10);
            boolean open = random.nextInt(100) < openOfAHundred;
            // An operation without an answer may happen long after its client went on.
            long moment = call + random.nextInt(open ? 60 : 10);
            long end = moment + random.nextInt(10);
            now[client] = open ? call + random.nextInt(10) : end;
            all.add(new Planned(call, moment, end, open, !open || random.nextBoolean()));
        }
        all.sort(Comparator.comparingLong(Planned::moment));
        NamespaceModel model = new NamespaceModel();
        Map<String, Long> files = model.initial();
        List<Timed<ClientOperation>> history = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            Planned each = all.get(i);
            ClientOperation deed = draw(i + 1, ClientOperation.Told.DONE, files);
            if (model.step(files, deed).isEmpty()) {
                deed = as(deed, ClientOperation.Told.REFUSED);
            }
            if (each.happens) {
                files = model.step(files, deed).orElseThrow();
            }
            boolean open =
                    each.open && !(deed instanceof ClientOperation.Look) && !(deed instanceof ClientOperation.Names);
            history.add(
                    open
                            ? new Timed<>(as(deed, ClientOperation.Told.NOTHING), each.call, Timed.NEVER)
                            : new Timed<>(deed, each.call, each.end));
        }
        return history;
    }

    /** Replaces one outcome by another one, which may be possible nevertheless. */
    List<Timed<ClientOperation>> damaged(List<Timed<ClientOperation>> history) {
        List<Timed<ClientOperation>> damaged = new ArrayList<>(history);
        int at = random.nextInt(history.size());
        Timed<ClientOperation> timed = history.get(at);
        ClientOperation deed = timed.operation();
        if (deed.isOpen()) {
            return damaged;
        }
        OptionalLong other =
                random.nextBoolean() ? OptionalLong.empty() : OptionalLong.of(1 + random.nextInt(history.size()));
        ClientOperation wrong = deed instanceof ClientOperation.Look look
                ? new ClientOperation.Look(look.name(), other)
                : deed instanceof ClientOperation.Names
                        ? new ClientOperation.Names(other.isPresent() ? Map.of("a", other.getAsLong()) : Map.of())
                        : as(
                                deed,
                                told(deed) == ClientOperation.Told.DONE
                                        ? ClientOperation.Told.REFUSED
                                        : ClientOperation.Told.DONE);
        Timed<ClientOperation> unused = damaged.set(at, new Timed<>(wrong, timed.call(), timed.end()));
        return damaged;
    }

    private ClientOperation draw(long version, ClientOperation.Told told, Map<String, Long> files) {
        String name = NAMES.get(random.nextInt(NAMES.size()));
        String other = NAMES.get((NAMES.indexOf(name) + 1) % NAMES.size());
        return switch (random.nextInt(6)) {
            case 0 -> new ClientOperation.Create(name, version, false, told);
            case 1 -> new ClientOperation.Create(name, version, true, told);
            case 2 -> new ClientOperation.Delete(name, told);
            case 3 -> new ClientOperation.Move(name, other, random.nextBoolean(), told);
            case 4 -> new ClientOperation.Names(files);
            default ->
                new ClientOperation.Look(
                        name, files.containsKey(name) ? OptionalLong.of(files.get(name)) : OptionalLong.empty());
        };
    }

    private static ClientOperation.Told told(ClientOperation deed) {
        if (deed instanceof ClientOperation.Create create) {
            return create.told();
        }
        return deed instanceof ClientOperation.Delete delete ? delete.told() : ((ClientOperation.Move) deed).told();
    }

    private static ClientOperation as(ClientOperation deed, ClientOperation.Told told) {
        if (deed instanceof ClientOperation.Create create) {
            return new ClientOperation.Create(create.name(), create.version(), create.replacing(), told);
        }
        if (deed instanceof ClientOperation.Delete delete) {
            return new ClientOperation.Delete(delete.name(), told);
        }
        return deed instanceof ClientOperation.Move move
                ? new ClientOperation.Move(move.from(), move.to(), move.replacing(), told)
                : deed;
    }
}
