package io.packing.chaos.masters;

import io.packing.chaos.linear.Timed;
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
    List<Timed<Deed>> linearizable(int clients, int operations) {
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
        List<Timed<Deed>> history = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            Planned each = all.get(i);
            Deed deed = draw(i + 1, Deed.Told.DONE, files);
            if (model.step(files, deed).isEmpty()) {
                deed = as(deed, Deed.Told.REFUSED);
            }
            if (each.happens) {
                files = model.step(files, deed).orElseThrow();
            }
            boolean open = each.open && !(deed instanceof Deed.Look) && !(deed instanceof Deed.Names);
            history.add(
                    open
                            ? new Timed<>(as(deed, Deed.Told.NOTHING), each.call, Timed.NEVER)
                            : new Timed<>(deed, each.call, each.end));
        }
        return history;
    }

    /** Replaces one outcome by another one, which may be possible nevertheless. */
    List<Timed<Deed>> damaged(List<Timed<Deed>> history) {
        List<Timed<Deed>> damaged = new ArrayList<>(history);
        int at = random.nextInt(history.size());
        Timed<Deed> timed = history.get(at);
        Deed deed = timed.operation();
        if (deed.isOpen()) {
            return damaged;
        }
        OptionalLong other =
                random.nextBoolean() ? OptionalLong.empty() : OptionalLong.of(1 + random.nextInt(history.size()));
        Deed wrong = deed instanceof Deed.Look look
                ? new Deed.Look(look.name(), other)
                : deed instanceof Deed.Names
                        ? new Deed.Names(other.isPresent() ? Map.of("a", other.getAsLong()) : Map.of())
                        : as(deed, told(deed) == Deed.Told.DONE ? Deed.Told.REFUSED : Deed.Told.DONE);
        Timed<Deed> unused = damaged.set(at, new Timed<>(wrong, timed.call(), timed.end()));
        return damaged;
    }

    private Deed draw(long version, Deed.Told told, Map<String, Long> files) {
        String name = NAMES.get(random.nextInt(NAMES.size()));
        String other = NAMES.get((NAMES.indexOf(name) + 1) % NAMES.size());
        return switch (random.nextInt(6)) {
            case 0 -> new Deed.Create(name, version, false, told);
            case 1 -> new Deed.Create(name, version, true, told);
            case 2 -> new Deed.Delete(name, told);
            case 3 -> new Deed.Move(name, other, random.nextBoolean(), told);
            case 4 -> new Deed.Names(files);
            default ->
                new Deed.Look(name, files.containsKey(name) ? OptionalLong.of(files.get(name)) : OptionalLong.empty());
        };
    }

    private static Deed.Told told(Deed deed) {
        if (deed instanceof Deed.Create create) {
            return create.told();
        }
        return deed instanceof Deed.Delete delete ? delete.told() : ((Deed.Move) deed).told();
    }

    private static Deed as(Deed deed, Deed.Told told) {
        if (deed instanceof Deed.Create create) {
            return new Deed.Create(create.name(), create.version(), create.replacing(), told);
        }
        if (deed instanceof Deed.Delete delete) {
            return new Deed.Delete(delete.name(), told);
        }
        return deed instanceof Deed.Move move ? new Deed.Move(move.from(), move.to(), move.replacing(), told) : deed;
    }
}
