// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.login;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;

/**
 * The mapping of Kerberos principals to users, by rules like those of Hadoop's {@code hadoop.security.auth_to_local}. The first
 * rule that matches counts.
 *
 * <pre>
 * DEFAULT                                          the first part of principals of the master's own realm
 * RULE:[1:$1@$0](.+@LAB)s/@.+//                     n parts, a text of them, what it has to match as a whole, what to replace
 * RULE:[2:$1@$0](oozie@CORP)s/.+/workflow/g/L     replaced everywhere, in small letters
 * </pre>
 */
public final class AuthToLocal {
    private static final Pattern RULE = Pattern.compile(
            "\\s*(?:(DEFAULT)|RULE:\\[([12]):([^\\]]*)\\](?:\\(([^)]*)\\))?(?:s/([^/]*)/([^/]*)/(g)?)?(/L)?)(?=\\s|$)");
    private static final Pattern PARAMETER = Pattern.compile("\\$(\\d)");
    /** The most bytes of a user's name, in tokens. */
    private static final int MOST_BYTES = 255;

    private static final int MOST_PRINCIPAL = 1_024;

    private static final Pattern NOT_SIMPLE = Pattern.compile("[/@]");

    /** Users of the master's own realm have their own names. */
    public static final AuthToLocal DEFAULT = parse("DEFAULT");

    private final List<Rule> rules;

    /** A principal's parts: the realm, and one or two names. */
    private record PrincipalParts(String realm, List<String> names) {
        static Optional<PrincipalParts> of(String text) {
            if (text.length() > MOST_PRINCIPAL || text.indexOf('\\') >= 0) {
                // Too long for the expressions of rules, or a part that has a separator in it, which no rule would tell
                // from two parts.
                return Optional.empty();
            }
            int at = text.lastIndexOf('@');
            if (at <= 0 || at == text.length() - 1) {
                return Optional.empty();
            }
            List<String> names = List.of(text.substring(0, at).split("/", -1));
            return names.size() <= 2 && names.stream().noneMatch(String::isEmpty)
                    ? Optional.of(new PrincipalParts(text.substring(at + 1), names))
                    : Optional.empty();
        }

        String part(int number) {
            return number == 0 ? realm : names.get(number - 1);
        }
    }

    /** One rule; empty: it does not match. */
    private interface Rule {
        Optional<String> user(PrincipalParts principal, String ownRealm);
    }

    private record Replacement(Pattern what, String with, boolean everywhere) {
        String in(String text) {
            Matcher match = what.matcher(text);
            return everywhere ? match.replaceAll(with) : match.replaceFirst(with);
        }
    }

    private record Rewriting(
            int parts, String text, Optional<Pattern> wanted, Optional<Replacement> replacement, boolean small)
            implements Rule {
        @Override
        public Optional<String> user(PrincipalParts principal, String ownRealm) {
            if (principal.names().size() != parts) {
                return Optional.empty();
            }
            String made = PARAMETER
                    .matcher(text)
                    .replaceAll(match -> Matcher.quoteReplacement(principal.part(Integer.parseInt(match.group(1)))));
            if (wanted.isPresent() && !wanted.get().matcher(made).matches()) {
                return Optional.empty();
            }
            String user = replacement.map(change -> change.in(made)).orElse(made);
            return Optional.of(small ? user.toLowerCase(Locale.ENGLISH) : user);
        }
    }

    private AuthToLocal(List<Rule> rules) {
        this.rules = List.copyOf(rules);
    }

    /**
     * Reads rules, which white space separates.
     *
     * @throws IllegalArgumentException naming the rule that is none
     */
    public static AuthToLocal parse(String text) {
        List<Rule> rules = new ArrayList<>();
        Matcher next = RULE.matcher(text);
        int at = 0;
        String left = text.strip();
        while (!left.isEmpty()) {
            next.region(at, text.length());
            if (!next.lookingAt()) {
                throw new IllegalArgumentException(
                        "expected DEFAULT or RULE:[1:$1@$0](PATTERN)s/PATTERN/TEXT/ with white space between rules, not '%s'"
                                .formatted(left));
            }
            rules.add(rule(next));
            at = next.end();
            left = text.substring(at).strip();
        }
        if (rules.isEmpty()) {
            throw new IllegalArgumentException("expected at least one rule, such as DEFAULT");
        }
        return new AuthToLocal(rules);
    }

    private static Rule rule(Matcher of) {
        if (of.group(1) != null) {
            return (principal, ownRealm) -> principal.realm().equals(ownRealm)
                    ? Optional.of(principal.names().get(0))
                    : Optional.empty();
        }
        int parts = Integer.parseInt(of.group(2));
        List<String> unknown = PARAMETER
                .matcher(of.group(3))
                .results()
                .map(match -> match.group(1))
                .filter(number -> Integer.parseInt(number) > parts)
                .collect(Collectors.toList());
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException("'%s' names part %s of %d".formatted(of.group(), unknown.get(0), parts));
        }
        try {
            return new Rewriting(
                    parts,
                    of.group(3),
                    Optional.ofNullable(of.group(4)).map(Pattern::compile),
                    Optional.ofNullable(of.group(5))
                            .map(what -> new Replacement(Pattern.compile(what), of.group(6), of.group(7) != null)),
                    of.group(8) != null);
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException("'%s': %s".formatted(of.group().strip(), e.getMessage()), e);
        }
    }

    /**
     * Returns a principal's user.
     *
     * @param ownRealm of the master
     */
    public String user(String principal, String ownRealm) throws RefusedLoginException {
        Optional<PrincipalParts> parsed = PrincipalParts.of(principal);
        if (parsed.isPresent()) {
            for (Rule rule : rules) {
                Optional<String> user = rule.user(parsed.get(), ownRealm);
                if (user.isPresent()) {
                    return checked(principal, user.get());
                }
            }
        }
        throw new RefusedLoginException(
                "no rule of bdt.kerberos.auth.to.local says who %s is: the master's own realm is %s"
                        .formatted(principal, ownRealm));
    }

    private static String checked(String principal, String user) throws RefusedLoginException {
        boolean usable = !user.isBlank()
                && user.getBytes(StandardCharsets.UTF_8).length <= MOST_BYTES
                && user.chars().noneMatch(Character::isISOControl)
                && !NOT_SIMPLE.matcher(user).find();
        if (!usable) {
            throw new RefusedLoginException(
                    "what the rules of bdt.kerberos.auth.to.local make of a principal is no name of a user: '%s' of %s"
                            .formatted(user, principal));
        }
        return user;
    }
}
