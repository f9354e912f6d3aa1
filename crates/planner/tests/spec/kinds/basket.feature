# language: en
@basket
Feature: Shopping basket
  As a customer
  I want to collect items
  So that I can buy them together

  Background:
    Given an empty basket

  Scenario: Add an item
    When I add 2 "apple" at 0.50
    Then the total is 1.00
    And the basket has 1 line

  Scenario Outline: Discount by total
    Given a basket with a total of <total>
    When I apply the voucher "<voucher>"
    Then the total is <result>

    Examples:
      | total | voucher | result |
      | 10.00 | TEN     | 9.00   |
      | 5.00  | TEN     | 5.00   |

  Rule: Vouchers are used once

    Scenario: A voucher is used twice
      Given the voucher "TEN" was applied
      When I apply the voucher "TEN"
      Then I see the error "voucher already used"

  @later
  Scenario: Gift wrapping
    When I ask for gift wrapping
    Then the total rises by 2.00
