// SPDX-License-Identifier: Apache-2.0
package io.packing.it.style;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/** A sign that a sentence has to be decoded. Most such sentences can be written plainer. */
enum ProseFault {
    /** A Javadoc that begins with a question word or a pronoun, instead of the thing or a verb. */
    UNCLEAR_HEAD(
            "(?s)^(What|Whether|Who|Whoever|Whose|Whom|How|Of|For whom|The same|It|That|Where|When|Which)\\b.*", true),
    ACTOR_WITHOUT_ROLE(
            "(?i)\\b(nobody|somebody|whoever|everybody|anybody|the like|and so on|as well as what|comes to be|came to be"
                    + "|(?:is|are|was|were) told|tells of|told of)\\b",
            false),
    INVERTED(
            "(^|[.:;] )(Of|From) (what|whom|which|a|an|the|all|two|several)\\b[^.]{0,80}\\b(is|are|was|were|has|have)\\b",
            false),
    /** Two relative clauses without a name between them. */
    CLAUSE_IN_A_CLAUSE(
            "(?i)\\b(whose|of which|of whom|what|who|that)\\b[^.,;]{0,40}\\b(whose|of which|of whom|what|who)\\b",
            false),
    TOO_LONG("(?s)^\\s*(?:\\S+\\s+){38,}\\S+.*", false);

    private final Pattern pattern;
    private final boolean onlyHeads;

    ProseFault(String pattern, boolean onlyHeads) {
        this.pattern = Pattern.compile(pattern);
        this.onlyHeads = onlyHeads;
    }

    /** Returns the faults of a sentence. */
    static List<ProseFault> of(Sentence sentence) {
        return Arrays.stream(values())
                .filter(fault -> !fault.onlyHeads || sentence.head())
                .filter(fault -> fault.pattern.matcher(sentence.text()).find())
                .toList();
    }
}
