Feature: Checkout
  The basket becomes an order.

  Scenario: Order from a basket
    Given a basket with 1 line
    When I check out with the address:
      """
      1 Main Street
      Springfield
      """
    Then an order with 1 line is made
    And the basket is empty

  Scenario: Empty basket
    Given an empty basket
    When I check out
    Then I see the error "nothing to order"

  @wip
  Scenario: Pay by invoice
    When I choose invoice
    Then the order is open
