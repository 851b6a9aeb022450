package io.packing.posix;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * The numbers of users or groups, and what the table has for them: names, as the other doors write them, or the number where this
 * machine knows no name.
 */
public final class Owners {
    /** Whom the kernel calls nobody. */
    private static final int NOBODY = 65_534;

    private static final int NUMBER = 2;

    private final Map<Integer, String> names = new HashMap<>();
    private final Map<String, Integer> numbers = new HashMap<>();

    private Owners() {}

    /** Those of {@code /etc/passwd} or {@code /etc/group}: lines of {@code name:x:number:...}. */
    public static Owners read(Path file) throws IOException {
        Owners owners = new Owners();
        try {
            for (String line : Files.readAllLines(file, StandardCharsets.ISO_8859_1)) {
                String[] fields = line.split(":", -1);
                if (fields.length > NUMBER && fields[NUMBER].matches("[0-9]{1,9}") && !fields[0].isEmpty()) {
                    int number = Integer.parseInt(fields[NUMBER]);
                    owners.names.putIfAbsent(number, fields[0]);
                    owners.numbers.putIfAbsent(fields[0], number);
                }
            }
        } catch (NoSuchFileException e) {
            // A machine without names has numbers.
            return owners;
        }
        return owners;
    }

    /** What the table has for a number. */
    public String text(int number) {
        String name = names.get(number);
        return name != null ? name : Integer.toUnsignedString(number);
    }

    /** The number for what the table has; who is not known here is nobody, and nothing at all is root. */
    public int number(String text) {
        if (text.isEmpty()) {
            return 0;
        }
        Integer number = numbers.get(text);
        if (number != null) {
            return number;
        }
        try {
            return Integer.parseUnsignedInt(text);
        } catch (NumberFormatException e) {
            return NOBODY;
        }
    }
}
