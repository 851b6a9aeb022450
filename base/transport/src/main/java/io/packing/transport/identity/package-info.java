/** Who makes a call, and whether they may: the check in front of every service of a secured server. */
@NullMarked
package io.packing.transport.identity;

import org.jspecify.annotations.NullMarked;
