// SPDX-License-Identifier: Apache-2.0
package io.packing.fuzz;

import io.packing.fuzz.battle.AttackSide;
import io.packing.fuzz.battle.AttackTally;
import io.packing.fuzz.battle.Battle;
import io.packing.fuzz.battle.Finds;
import io.packing.fuzz.battle.Vitals;
import io.packing.fuzz.guarded.Insiders;
import io.packing.fuzz.guarded.Locals;
import io.packing.fuzz.guarded.Openers;
import io.packing.fuzz.guarded.Plant;
import io.packing.fuzz.local.OrdinaryUser;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An attack on living masters and workers while honest users work. It reports each server that died, hung, grew or
 * failed by a bug, and data that was read, changed or lost. {@code --seconds N --seed S [--attackers A,B] [--json]};
 * exit 1 with finds.
 */
public final class Fuzz {
    /** The exit code of a run that did not come to an end. */
    private static final int BROKEN = 2;

    /** The kinds of attackers. */
    enum Kind {
        /** Callers that servers without TLS trust, callers without an identity, and bytes for every port. */
        CALLERS,
        /** A user with a certificate or a token and no rights, who knows every id. */
        INSIDER,
        /** A client with a certificate and no role that opens mounts before the operator does. */
        OPENER,
        /** An ordinary user of the servers' host. */
        LOCAL
    }

    /** The settings of a run. */
    record FuzzOptions(long seconds, long seed, Set<Kind> attackers) {
        FuzzOptions(long seconds, long seed) {
            this(seconds, seed, EnumSet.allOf(Kind.class));
        }
    }

    /** The result of a run. */
    record Result(FuzzOptions settings, AttackTally tally, Map<String, String> stacks, List<Finds.Find> finds) {}

    private final FuzzOptions settings;
    private final Finds finds = new Finds();

    private Fuzz(FuzzOptions settings) {
        this.settings = settings;
    }

    public static void main(String[] args) throws Exception {
        boolean json = List.of(args).contains("--json");
        int code = BROKEN;
        try {
            Result result = run(settings(args));
            (json ? FuzzReport.json(result) : FuzzReport.text(result)).forEach(System.out::println);
            code = result.finds().isEmpty() ? 0 : 1;
        } catch (Exception e) {
            StringWriter trace = new StringWriter();
            e.printStackTrace(new PrintWriter(trace));
            System.err.println(trace);
        } finally {
            // A hanging server's threads must not keep the process.
            System.exit(code);
        }
    }

    private static FuzzOptions settings(String[] args) {
        long seconds = 20;
        long seed = System.nanoTime();
        Set<Kind> attackers = EnumSet.allOf(Kind.class);
        for (int i = 0; i < args.length; i++) {
            switch (args[i]) {
                case "--json" -> {
                    // main has read this option.
                }
                case "--seconds" -> seconds = Long.parseLong(args[++i]);
                case "--seed" -> seed = Long.parseLong(args[++i]);
                case "--attackers" -> attackers = attackers(args[++i]);
                default -> throw new IllegalArgumentException("unknown argument " + args[i]);
            }
        }
        return new FuzzOptions(seconds, seed, attackers);
    }

    private static Set<Kind> attackers(String names) {
        return Arrays.stream(names.split(",", -1))
                .map(name -> Arrays.stream(Kind.values())
                        .filter(kind -> kind.name().toLowerCase(Locale.ROOT).equals(name))
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException(
                                "unknown attacker '%s': give callers, insider, opener or local".formatted(name))))
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Kind.class)));
    }

    static Result run(FuzzOptions settings) throws Exception {
        Path home = Files.createTempDirectory("packing-fuzz");
        try {
            return new Fuzz(settings).run(home);
        } finally {
            delete(home);
        }
    }

    private Result run(Path home) throws Exception {
        Vitals.keepNoBuffers();
        ServerStacks stacks = new ServerStacks();
        stacks.install();
        List<AttackSide> sides = new ArrayList<>();
        try {
            Optional<String> missing = OrdinaryUser.missing();
            for (Kind kind : settings.attackers) {
                if (kind == Kind.LOCAL && missing.isPresent()) {
                    System.err.println("without an ordinary user of the host: " + missing.get());
                } else {
                    sides.add(side(kind, home));
                }
            }
            Battle battle = new Battle(finds);
            Map<String, LongSupplier> honest = new HashMap<>();
            for (AttackSide side : sides) {
                side.join(battle);
                honest.putAll(side.honest());
            }
            battle.fight(
                    settings.seconds,
                    honest,
                    () -> each(sides, AttackSide::muster),
                    () -> sides.forEach(AttackSide::retreat));
            each(sides, AttackSide::aftermath);
            AttackTally tally = sides.stream().map(AttackSide::tally).reduce(AttackTally.NONE, AttackTally::plus);
            return new Result(settings, tally, stacks.all(), finds.all());
        } finally {
            stacks.uninstall();
            for (AttackSide side : sides) {
                side.close();
            }
        }
    }

    private AttackSide side(Kind kind, Path home) throws Exception {
        return switch (kind) {
            case CALLERS -> new Callers(home.resolve("callers"), finds, settings.seed);
            case INSIDER -> new Insiders(home.resolve("insider"), finds, settings.seed + 10, Plant.NONE);
            case OPENER -> new Openers(home.resolve("opener"), finds, settings.seed + 20, Plant.NONE);
            case LOCAL -> local(home);
        };
    }

    private AttackSide local(Path home) throws Exception {
        OrdinaryUser.open(home);
        return new Locals(home.resolve("local"), finds, settings.seed + 30);
    }

    private interface Act {
        void of(AttackSide side) throws Exception;
    }

    private static void each(List<AttackSide> sides, Act act) throws Exception {
        for (AttackSide side : sides) {
            act.of(side);
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> walk = Files.walk(directory)) {
            for (Path path : walk.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
